/** Which of SQLite's errors are transient, and their words. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from '../database/database.ts';
import { explainCode, fromSqlite, fromSqliteCommit } from './errors.ts';

test('a disk without space for the shared memory is reported as full, not as failing', () => {
  const explain = (errcode: number) => explainCode(Object.assign(new Error(), { errcode }));
  assert.match(explain(4_874) ?? '', /^the disk is full\./);
  assert.match(explain(778) ?? '', /^the disk fails\./);
});

test('an error of the disk says so', () => {
  const diskOf = (errcode: number) => {
    const error = fromSqlite(Object.assign(new Error('from SQLite'), { errcode }));
    return error instanceof DatabaseUnavailable && error.disk;
  };
  assert.deepEqual([13, 4_874, 10, 778, 5].map(diskOf), ['full', 'full', 'fails', 'fails', null]);
});

test('transient errors are unavailable, errors of a statement are not; a commit that fails on the disk may be saved', () => {
  for (const errcode of [5, 261, 6, 8, 776, 10, 778, 11, 13, 14, 26]) {
    const error = Object.assign(new Error('from SQLite'), { errcode });
    assert.ok(fromSqlite(error) instanceof DatabaseUnavailable, String(errcode));
  }
  const outcomeOf = (errcode: number) => {
    const error = fromSqliteCommit(Object.assign(new Error('from SQLite'), { errcode }));
    return error instanceof DatabaseUnavailable && error.outcome;
  };
  assert.deepEqual([10, 1034, 13, 5].map(outcomeOf), [
    'unknown',
    'unknown',
    'not saved',
    'not saved',
  ]);
  for (const error of [
    Object.assign(new Error('no such table'), { errcode: 1 }),
    Object.assign(new Error('CHECK constraint failed'), { errcode: 275 }),
    new Error('ours'),
  ])
    assert.equal(fromSqlite(error), error);
});
