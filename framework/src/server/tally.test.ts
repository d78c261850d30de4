import assert from 'node:assert/strict';
import test from 'node:test';
import { createTally } from './tally.ts';

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
