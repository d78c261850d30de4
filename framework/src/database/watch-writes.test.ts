import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from './database.ts';
import { watchWrites } from './watch-writes.ts';

function watch() {
  const clock = { now: 0 };
  const reports: string[] = [];
  const watched = watchWrites(
    ({ message }) => reports.push(message),
    () => clock.now,
  );
  return { ...watched, clock, reports };
}

const FULL = new DatabaseUnavailable('the disk is full.', { disk: 'full' });

test('a full disk is reported once, and its end once', () => {
  const { note, writeFailure, clock, reports } = watch();
  note(null);
  assert.equal(writeFailure(), null);
  for (let count = 0; count < 3; count++) {
    note(FULL);
    assert.equal(writeFailure(), FULL);
    clock.now += 9_000;
    // A small write that finds room.
    note(null);
  }
  const failing =
    'Writes fail: the disk is full. Make room on it: they then continue by themselves.';
  assert.deepEqual(reports, [failing]);
  clock.now += 1_000;
  note(null);
  note(null);
  assert.equal(writeFailure(), null);
  assert.deepEqual(reports, [failing, 'Writes succeed again.']);
  note(FULL);
  assert.equal(reports.length, 3);
});

test('a write that fails for another reason is not about the disk', () => {
  const { note, writeFailure, reports } = watch();
  note(new DatabaseUnavailable('another program holds it locked.'));
  note(new Error('NOT NULL constraint failed'));
  assert.equal(writeFailure(), null);
  note(FULL);
  note(new Error('NOT NULL constraint failed'));
  assert.equal(writeFailure(), FULL);
  assert.equal(reports.length, 1);
});
