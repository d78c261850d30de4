import assert from 'node:assert/strict';
import test from 'node:test';
import { compareSamples, isNoisy } from './statistics.ts';

const ONES = Array.from({ length: 15 }, () => 1);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test('the interval of the median goes from the 4th to the 12th of 15 ratios, and from the 6th to the 16th of 21', () => {
  assert.deepEqual(compareSamples(ONES, upTo(15).toReversed()), { value: 8, low: 4, high: 12 });
  const ratio = compareSamples(
    upTo(21).map(() => 2),
    upTo(21),
  );
  assert.deepEqual(ratio, { value: 5.5, low: 3, high: 8 });
});

test('five pairs are too few for an interval', () => {
  assert.ok(Number.isNaN(compareSamples(upTo(5), upTo(5)).low));
});

test('an interval that reaches further than the share to either side is noisy', () => {
  assert.equal(isNoisy({ value: 0.5, low: 0.49, high: 0.51 }, 0.03), false);
  assert.equal(isNoisy({ value: 0.5, low: 0.48, high: 0.5 }, 0.03), true);
  assert.equal(isNoisy({ value: 0.5, low: 0.5, high: 0.52 }, 0.03), true);
  assert.equal(isNoisy({ value: 1, low: Number.NaN, high: Number.NaN }, 0.03), true);
});
