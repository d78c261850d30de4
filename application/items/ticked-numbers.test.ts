import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_SELECTED } from './matching-items.ts';
import { readTicked, writeTicked } from './ticked-numbers.ts';

test('ticked numbers are read as they were written, and what is none is left out', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: MAX_SELECTED });
  fc.assert(
    fc.property(numbers, (all) => {
      assert.deepEqual(
        readTicked(writeTicked(all)),
        all.toSorted((one, other) => one - other),
      );
    }),
  );
  assert.equal(writeTicked([9, 3, 7, 8, 3]), '3.7-9');
  assert.deepEqual(readTicked('2-1.x.05.-4.0.3-'), [4, 3]);
  assert.equal(readTicked('1-9007199254740991').length, MAX_SELECTED + 1);
});
