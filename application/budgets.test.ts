import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { listMisfits } from './testing/budgets.ts';
import type { Counts } from './testing/count-requests.ts';

test('no request takes more than its budget, and no budget is far above what it takes', () => {
  const program = join(import.meta.dirname, '../scripts/budgets.ts');
  const { stderr, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('a budget tells what to do about a cost above it, or far below it', () => {
  const budget: Counts = {
    ...{ status: 200, allocated: 10_000, promises: 10, statements: 2, rows: 0 },
    ...{ sent: 5_000, logged: 0 },
  };
  assert.deepEqual(listMisfits('list', { ...budget, allocated: 10_150, sent: 5_500 }, budget), []);
  assert.deepEqual(listMisfits('list', { ...budget, allocated: 8_400, sent: 4_200 }, budget), []);
  assert.deepEqual(listMisfits('list', { ...budget, allocated: 10_300 }, budget), [
    '"list" takes 10,300 bytes of heap, and its budget is 10,000: win the difference back, or run "npm run budgets -- --save" and say in the commit what it buys.',
  ]);
  assert.deepEqual(listMisfits('list', { ...budget, statements: 3, rows: 1 }, budget), [
    '"list" takes 3 statements, and its budget is 2: win the difference back, or run "npm run budgets -- --save" and say in the commit what it buys.',
    '"list" takes 1 rows, and its budget is 0: win the difference back, or run "npm run budgets -- --save" and say in the commit what it buys.',
  ]);
  assert.deepEqual(listMisfits('list', { ...budget, allocated: 7_000 }, budget), [
    '"list" takes only 7,000 bytes of heap, and its budget is 10,000: run "npm run budgets -- --save", so that what was won is not lost unnoticed.',
  ]);
  assert.match(listMisfits('list', { ...budget, status: 503 }, budget).join(), /with 503 instead/);
  assert.match(listMisfits('list', budget, undefined).join(), /has no budget/);
});
