import assert from 'node:assert/strict';
import test from 'node:test';
import { median, percentile } from './statistics.ts';

test('the median is the middle value, or the mean of the two in the middle', () => {
  assert.equal(median([30, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 100]), 3);
  assert.ok(Number.isNaN(median([])));
});

test('a percentile is the lowest value that so many do not exceed', () => {
  const values = Array.from({ length: 200 }, (_, at) => 200 - at);
  assert.equal(percentile(values, 99), 198);
  assert.equal(percentile(values, 100), 200);
  assert.equal(percentile([7], 99), 7);
});
