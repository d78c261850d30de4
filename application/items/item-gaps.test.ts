import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Database } from '../database/kysely.ts';
import {
  addAccount,
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { BLOCK, countItems, createNumberingReader, type Gap, positionAfter } from './item-gaps.ts';
import { createItemList } from './item-list.ts';
import { ALL_ITEMS } from './item-query.ts';
import { deleteItems, lockItem, restoreItems, type StoredItem } from './stored-item.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };

/** The gaps of a database where these numbers are gone. */
function toGaps(gone: ReadonlySet<number>): readonly Gap[] {
  const blocks = Map.groupBy(gone, (number) => Math.floor((number - 1) / BLOCK));
  const gaps = [...blocks].map(([block, numbers]) => ({ block, gone: numbers.length }));
  return gaps.toSorted((one, other) => other.block - one.block);
}

test('without gaps, the position is a subtraction', () => {
  assert.equal(countItems({ highest: 1_000_000, gone: 0 }), 1_000_000);
  assert.deepEqual(positionAfter(1_000_000, [], 0, BLOCK), { from: 1_000_000, offset: 0 });
  assert.deepEqual(positionAfter(1_000_000, [], 999_980, BLOCK), { from: 20, offset: 0 });
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
      const { from, offset } = positionAfter(highest, toGaps(gone), skipped, BLOCK);
      assert.ok(offset < BLOCK);
      assert.deepEqual(
        newestFirst.filter((number) => number <= from).slice(offset, offset + 20),
        newestFirst.slice(skipped, skipped + 20),
      );
    }),
    { numRuns: 300 },
  );
});

repeatOnEngines('a deleted number is counted, whatever deletes the item', async (t) => {
  const database = await openTestDatabase(t);
  for (let count = 0; count < 5; count++) await addItem(database, DRILL);
  const remove = (numbers: readonly number[]) =>
    database.write((transaction) =>
      transaction.deleteFrom('items').where('number', 'in', numbers).execute(),
    );
  const reader = createNumberingReader(database);
  const read = async () => ({ ...(await reader.numbering()) });
  assert.deepEqual(await read(), { highest: 5, gone: 0 });
  assert.deepEqual(await readGaps(database), []);
  await remove([2]);
  await remove([4, 5, 99]);
  assert.deepEqual(await read(), { highest: 5, gone: 3 });
  assert.deepEqual(await readGaps(database), [{ block: 0, gone: 3 }]);
});

function readGaps({ read }: Database) {
  return read.selectFrom('item_gaps').selectAll().orderBy('block').execute();
}

const AT = '2026-11-23T00:00:00.000Z';
/** Three groups of blocks. */
const HIGHEST = 120_000;

/** Items with these numbers and no others; all other numbers up to HIGHEST were deleted. */
async function fillSparsely(database: Database, numbers: readonly number[]): Promise<void> {
  const present = Map.groupBy(numbers, (number) => Math.floor((number - 1) / BLOCK));
  const { tags: _, ...drill } = DRILL;
  const author = { created_by: 1, updated_by: 1 };
  const rest = { ...drill, ...author, created_at: AT, updated_at: AT, version: 1 };
  const gaps = Array.from({ length: HIGHEST / BLOCK }, (_, block) => ({
    block,
    gone: BLOCK - (present.get(block)?.length ?? 0),
  }));
  await database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'items', value: HIGHEST }).execute();
    await transaction
      .insertInto('items')
      .values(numbers.map((number) => ({ number, ...rest })))
      .execute();
    await transaction
      .insertInto('item_gaps')
      .values(gaps.filter(({ gone }) => gone > 0))
      .execute();
  });
}

repeatOnEngines(
  'every page has the items that counting gives, after deletes and restores',
  async (t) => {
    const database = await openTestDatabase(t);
    // A whole block, the ends of groups, and a few here and there.
    const numbers = Array.from({ length: HIGHEST }, (_, index) => index + 1).filter(
      (number) =>
        number % 1_499 === 0 || number % 25_000 < 40 || (number > 70_000 && number <= 71_000),
    );
    await addAccount(database, 1, 'ada');
    await fillSparsely(database, numbers);
    const list = createItemList(database);
    const present = new Set(numbers);
    const bin = new Map<number, StoredItem>();
    const change = (changes: readonly (readonly [boolean, number])[]) =>
      database.write(async (transaction) => {
        for (const [restores, seed] of changes) {
          const from = [...(restores ? bin : present).keys()];
          const number = from[seed % from.length];
          if (number === undefined) continue;
          const item = bin.get(number) ?? (await lockItem(transaction, number));
          assert.ok(item !== null);
          if (restores) {
            await restoreItems(transaction, [item], { author: 1, at: AT });
            bin.delete(number);
            present.add(number);
          } else {
            await deleteItems(transaction, [number]);
            bin.set(number, item);
            present.delete(number);
          }
        }
      });
    const changes = fc.array(fc.tuple(fc.boolean(), fc.nat()), { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(changes, async (some) => {
        await change(some);
        const newestFirst = [...present].sort((one, other) => other - one);
        for (const order of ['newest', 'oldest'] as const) {
          const expected = order === 'newest' ? newestFirst : newestFirst.toReversed();
          for (let page = 1; (page - 1) * 20 < expected.length; page++) {
            const { items, itemCount } = await list(page, { ...ALL_ITEMS, order });
            assert.equal(itemCount, expected.length);
            assert.deepEqual(
              items.map(({ number }) => number),
              expected.slice((page - 1) * 20, page * 20),
            );
          }
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  },
);

testOnEngines('a page reads only a few of many gaps', async (t) => {
  const database = await openTestDatabase(t);
  const gaps = Array.from({ length: 1_000 }, (_, block) => ({ block, gone: 50 }));
  await database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'items', value: 1e6 }).execute();
    await transaction.insertInto('item_gaps').values(gaps).execute();
  });
  let rows = 0;
  const list = createItemList({
    ...database,
    statement(build, fromRow) {
      const statement = database.statement(build, fromRow);
      const all: typeof statement.all = async (values) => {
        const found = await statement.all(values);
        rows += found.length;
        return found;
      };
      return { ...statement, all };
    },
  });
  for (const page of [2, 25_000, 47_500]) {
    rows = 0;
    await list(page, ALL_ITEMS);
    assert.ok(rows > 0 && rows <= 100, `page ${page} read ${rows} rows`);
  }
});
