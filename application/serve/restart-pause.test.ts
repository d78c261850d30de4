import assert from 'node:assert/strict';
import test from 'node:test';
import { nextPause } from './restart-pause.ts';

test('the pause doubles from 100 milliseconds to 10 seconds', () => {
  const pauses: number[] = [];
  for (let count = 0; count < 9; count++) pauses.push(nextPause(pauses.at(-1) ?? null, 0));
  assert.deepEqual(pauses, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test('after a minute of life the pause is short again', () => {
  assert.equal(nextPause(10_000, 59_999), 10_000);
  assert.equal(nextPause(10_000, 60_000), 100);
});
