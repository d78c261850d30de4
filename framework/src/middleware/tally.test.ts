import assert from 'node:assert/strict';
import test from 'node:test';
import { createDigest, createTally } from './tally.ts';

test('a count is reported once in an interval, and a count of zero is not', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: number[] = [];
  const tally = createTally((count) => reports.push(count), 5_000);
  for (let times = 0; times < 1_000; times++) tally.count();
  assert.deepEqual(reports, []);
  t.mock.timers.tick(5_000);
  assert.deepEqual(reports, [1_000]);
  t.mock.timers.tick(50_000);
  tally.report();
  assert.deepEqual(reports, [1_000]);
  tally.count();
  tally.report();
  assert.deepEqual(reports, [1_000, 1]);
  t.mock.timers.tick(5_000);
  assert.deepEqual(reports, [1_000, 1]);
});

test('a digest has the first event at once, then the last and the number of the others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reports: [string, number][] = [];
  const add = createDigest((event: string, more) => reports.push([event, more]));
  assert.deepEqual(['one', 'two', 'three'].map(add), [true, false, false]);
  assert.deepEqual(reports, [['one', 0]]);
  t.mock.timers.tick(5_000);
  assert.deepEqual(reports, [
    ['one', 0],
    ['three', 2],
  ]);
  assert.equal(add('four'), true);
  t.mock.timers.tick(5_000);
  assert.equal(add('five'), true);
  assert.deepEqual(reports.slice(2), [
    ['four', 0],
    ['five', 0],
  ]);
});
