import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import {
  BLOCK,
  countItems,
  createNumberingReader,
  type Numbering,
  placeAfter,
} from './item-gaps.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };

/** The numbering of a database where these numbers are gone. */
function toNumbering(highest: number, gone: ReadonlySet<number>): Numbering {
  const blocks = Map.groupBy(gone, (number) => Math.floor((number - 1) / BLOCK));
  const gaps = [...blocks].map(([block, numbers]) => ({ block, gone: numbers.length }));
  return { highest, gaps: gaps.toSorted((one, other) => other.block - one.block) };
}

test('without gaps, the position is a subtraction', () => {
  const numbering = { highest: 1_000_000, gaps: [] };
  assert.equal(countItems(numbering), 1_000_000);
  assert.deepEqual(placeAfter(numbering, 0), { from: 1_000_000, offset: 0 });
  assert.deepEqual(placeAfter(numbering, 999_980), { from: 20, offset: 0 });
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
      const numbering = toNumbering(highest, gone);
      const newestFirst = Array.from({ length: highest }, (_, index) => highest - index).filter(
        (number) => !gone.has(number),
      );
      assert.equal(countItems(numbering), newestFirst.length);
      const skipped = newestFirst.length === 0 ? 0 : seed % newestFirst.length;
      const { from, offset } = placeAfter(numbering, skipped);
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
  assert.deepEqual(await createNumberingReader(database)(), { highest: 5, gaps: [] });
  await remove([2]);
  await remove([4, 5, 99]);
  const { highest, gaps } = await createNumberingReader(database)();
  assert.deepEqual([highest, gaps.map((gap) => ({ ...gap }))], [5, [{ block: 0, gone: 3 }]]);
});
