import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { BLOCK, countItems, createNumberingReader, type Gap, placeAfter } from './item-gaps.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };

/** The gaps of a database where these numbers are gone. */
function toGaps(gone: ReadonlySet<number>): readonly Gap[] {
  const blocks = Map.groupBy(gone, (number) => Math.floor((number - 1) / BLOCK));
  const gaps = [...blocks].map(([block, numbers]) => ({ block, gone: numbers.length }));
  return gaps.toSorted((one, other) => other.block - one.block);
}

test('without gaps, the position is a subtraction', () => {
  assert.equal(countItems({ highest: 1_000_000, gone: 0 }), 1_000_000);
  assert.deepEqual(placeAfter(1_000_000, [], 0), { from: 1_000_000, offset: 0 });
  assert.deepEqual(placeAfter(1_000_000, [], 999_980), { from: 20, offset: 0 });
});

test('with gaps, the position is the same as counting every item', () => {
  const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 3_500 }), fc.nat({ max: 1_500 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_500 }), runs, fc.nat(), (highest, ranges, seed) => {
      const gone = new Set(
        ranges.flatMap(([start, length]) =>
          Array.from({ length }, (_, index) => start + index).filter((one) => one <= highest),
        ),
      );
      const newestFirst = Array.from({ length: highest }, (_, index) => highest - index).filter(
        (number) => !gone.has(number),
      );
      assert.equal(countItems({ highest, gone: gone.size }), newestFirst.length);
      const skipped = newestFirst.length === 0 ? 0 : seed % newestFirst.length;
      const { from, offset } = placeAfter(highest, toGaps(gone), skipped);
      assert.ok(offset < BLOCK);
      assert.deepEqual(
        newestFirst.filter((number) => number <= from).slice(offset, offset + 20),
        newestFirst.slice(skipped, skipped + 20),
      );
    }),
    { numRuns: 300 },
  );
});

testOnEngines('a deleted number is counted, whatever deletes the item', async (t) => {
  const database = await openTestDatabase(t);
  for (let count = 0; count < 5; count++) await addItem(database, DRILL);
  const remove = (numbers: readonly number[]) =>
    database.write((transaction) =>
      transaction.deleteFrom('items').where('number', 'in', numbers).execute(),
    );
  const reader = createNumberingReader(database);
  const read = async () => ({ ...(await reader.numbering()) });
  assert.deepEqual(await read(), { highest: 5, gone: 0 });
  assert.deepEqual(await reader.gaps(), []);
  await remove([2]);
  await remove([4, 5, 99]);
  assert.deepEqual(await read(), { highest: 5, gone: 3 });
  assert.deepEqual(
    (await reader.gaps()).map((gap) => ({ ...gap })),
    [{ block: 0, gone: 3 }],
  );
});
