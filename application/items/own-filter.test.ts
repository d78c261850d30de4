/** The list by fields of the team's own: its filters, its order, its search, and what follows from them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { changeDefinitions, createField, createKind } from '../own-fields/change-definitions.ts';
import type { OwnValues } from '../own-fields/own-field.ts';
import { fillRange } from '../testing/fill-items.ts';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createItemExport } from './export/item-export.ts';
import { createItems } from './item.ts';
import type { Order } from './item-order.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import { readItemQuery } from './read-item-query.ts';

const CHOICES = [
  { id: 'c1', label: 'As new' },
  { id: 'c2', label: 'Broken' },
];
const FIELDS = [
  { kind: 'text', label: 'Maker', searched: true },
  { kind: 'money', label: 'Price', unit: 'EUR' },
  { kind: 'date', label: 'Bought' },
  { kind: 'choice', label: 'Condition', choices: CHOICES, searched: true },
  { kind: 'choices', label: 'Uses', choices: CHOICES },
  { kind: 'yes or no', label: 'Tested' },
] as const;

/** The values of the items 1 to 8. */
const VALUES: readonly OwnValues[] = [
  { 1: 'Robert Bosch', 2: '120.50', 3: '2024-02-01', 4: 'c1', 5: ['c1', 'c2'], 6: 'yes' },
  { 1: 'BOSCH', 2: '9.90', 3: '2020-12-31', 4: 'c2' },
  {},
  { 1: 'Äppelbosch', 2: '1000', 5: ['c2'], 6: 'no' },
  { 1: 'Makita', 2: '9.9', 3: '2024-02-01', 4: 'c2' },
  {},
  { 2: '0.5' },
  { 1: 'bosch' },
];

async function openOwn(t: TestContext) {
  const database = await openTestDatabase(t);
  await database.write(async (transaction) => {
    for (const field of FIELDS) await createField(transaction, field, null);
    await createKind(transaction, { name: 'Tool' }, null);
  });
  for (const [at, own] of VALUES.entries()) {
    const tags = at % 2 === 0 ? ['odd'] : [];
    await addItem(database, { name: `Thing ${at + 1}`, tags, own, kind: at < 4 ? 1 : null });
  }
  const items = createItems(database);
  const list = async (address: string, size?: number) =>
    (await items.list(1, readItemQuery(new URLSearchParams(address)), size)).items.map(
      ({ number }) => number,
    );
  return { database, items, list };
}

const LISTS: Readonly<Record<string, readonly number[]>> = {
  'own_1=bosch': [8, 2, 1],
  'own_1=rob+bos': [1],
  'own_1=bosch&own_1_how=is': [8, 2],
  'own_1_how=any': [8, 5, 4, 2, 1],
  'own_1_how=empty': [7, 6, 3],
  'own_2_from=9.90&own_2_to=1,000': [5, 4, 2, 1],
  'own_2_to=9.9': [7, 5, 2],
  'own_3_from=2024-02-01': [5, 1],
  'own_4=c2': [5, 2],
  'own_5=c2': [4, 1],
  'own_5_how=any': [4, 1],
  'own_6=no': [4],
  'own_4=c2&own_2_from=5&own_1=mak': [5],
  'own_2_from=1&tag=odd': [5, 1],
  'own_2_how=empty&tag=odd': [3],
  'own_1=bosch&q=thing': [8, 2, 1],
  'own_2_from=1&q=thing': [5, 4, 2, 1],
  'kind=1': [4, 3, 2, 1],
  'kind=none&own_2_how=any': [7, 5],
  'kind=1&own_4=c2': [2],
  // An unknown field, and a filter that says nothing for its kind of value.
  'own_99=x&own_2=12&own_3_from=soon': [8, 7, 6, 5, 4, 3, 2, 1],
  'own_2_from=€5&own_2_to=x9': [8, 7, 6, 5, 4, 3, 2, 1],
  'sort=own_2': [7, 2, 5, 1, 4, 3, 6, 8],
  'sort=-own_2': [4, 1, 5, 2, 7, 8, 6, 3],
  'sort=own_1': [4, 2, 8, 5, 1, 3, 6, 7],
  'sort=own_3&own_4=c2': [2, 5],
  'sort=-own_2&tag=odd': [1, 5, 7, 3],
  'sort=own_2&own_2_from=1': [2, 5, 1, 4],
  'sort=own_2&own_1=bosch': [2, 1, 8],
  'sort=own_2&q=thing&own_1_how=any': [2, 5, 1, 4, 8],
  'sort=own_5': [8, 7, 6, 5, 4, 3, 2, 1],
};

testOnEngines(
  'each filter and order lists its items, its neighbours, its file and its ticks',
  async (t) => {
    const { database, items, list } = await openOwn(t);
    const exportItems = createItemExport(database);
    for (const [address, expected] of Object.entries(LISTS)) {
      const found = await list(address);
      assert.deepEqual(found, expected, address);
      const query: ItemQuery = readItemQuery(new URLSearchParams(address));
      const exported = (await Array.fromAsync(await exportItems(query))).flat();
      assert.deepEqual(
        exported.map(({ number }) => number),
        expected,
        `file of ${address}`,
      );
      if (!address.startsWith('sort'))
        assert.deepEqual(
          new Set(await items.findMatching({ ...query, order: 'newest' })),
          new Set(expected),
        );
      for (const [at, number] of expected.entries())
        assert.deepEqual(
          await items.neighbours(number, query),
          { previous: expected[at - 1] ?? null, next: expected[at + 1] ?? null },
          `beside ${number} of ${address}`,
        );
      const pages: number[] = [];
      for (let page = 1; page <= Math.ceil(expected.length / 2); page++)
        pages.push(...(await items.list(page, query, 2)).items.map(({ number }) => number));
      assert.deepEqual(pages, expected, `pages of ${address}`);
    }
  },
);

testOnEngines(
  'a search finds the fields that are searched, at once when that changes',
  async (t) => {
    const { database, items, list } = await openOwn(t);
    assert.deepEqual(await list('q=makita'), [5]);
    assert.deepEqual(await list('q=brok'), [5, 2]);
    assert.deepEqual(await list('q=makita+broken+thing'), [5]);
    const set = (id: number, columns: Readonly<Record<string, string | number>>) =>
      database.write((transaction) =>
        changeDefinitions(transaction, [{ table: 'own_fields', id, set: columns }], {
          ...{ author: null, kind: 'changed' },
        }),
      );
    await set(4, { choices: JSON.stringify([CHOICES[0], { id: 'c2', label: 'In repair' }]) });
    await items.revision();
    assert.deepEqual(await list('q=brok'), []);
    assert.deepEqual(await list('q=repair'), [5, 2]);
    await set(1, { searched: 0 });
    await items.revision();
    assert.deepEqual(await list('q=makita'), []);
    assert.deepEqual(await list('own_1=makita'), [5], 'its filter needs no search');
    await set(1, { removed: 1 });
    await items.revision();
    assert.deepEqual(await list('own_1=makita'), await list(''), 'a removed field filters nothing');
    assert.deepEqual(await list('sort=own_1'), await list(''));
  },
);

testOnEngines('a list that is cut has the first items by value, and says so', async (t) => {
  const { database, items } = await openOwn(t);
  // More than `MAX_FOUND`.
  await fillRange(database, 9, 1_108, 1);
  await database.write((transaction) =>
    sql`insert into item_values (item_number, field_id, position, value, key, number)
      select number, 2, 0, number, number, number from items where number > 8`.execute(transaction),
  );
  const query = { ...ALL_ITEMS, ...readItemQuery(new URLSearchParams('own_2_from=5')) };
  const page = await items.list(1, query);
  assert.deepEqual([page.itemCount, page.isTruncated, page.pageCount], [1_000, true, 50]);
  const first = await items.list(1, { ...query, order: 'own_2' });
  assert.deepEqual([first.items[0]?.number, first.items[1]?.number], [9, 2]);
  const last = await items.list(1, { ...query, order: '-own_2' });
  assert.equal(last.items[0]?.number, 1_108);
  // Both conditions are true of many.
  const both = readItemQuery(new URLSearchParams('own_2_from=5&own_3_how=empty'));
  assert.equal((await items.list(1, both)).itemCount, 1_000);
  assert.equal((await items.findMatching(query)).length, 501);
  // Another filter finds more, but not in the order of such a field: each value would be looked up.
  const noKind = { ...ALL_ITEMS, kind: 'none' };
  assert.equal((await items.list(1, noKind)).isTruncated, false);
  assert.equal((await items.list(1, { ...noKind, order: 'own_2' })).itemCount, 1_000);
  const page2 = await items.list(2, { ...query, order: 'own_2' });
  assert.deepEqual([page2.itemCount, page2.page, page2.items.length], [1_000, 2, 20]);
  const beyond = await items.list(99, { ...query, order: 'own_2' });
  assert.deepEqual([beyond.page, beyond.items.length], [50, 20]);
  // All that have a number, by the number and not by its text: 1,000 comes after 999.
  const any = { ...ALL_ITEMS, ...readItemQuery(new URLSearchParams('own_2_how=any')) };
  const numbers = async (page: number, order: Order) =>
    (await items.list(page, { ...any, order })).items.map(({ number }) => number);
  assert.deepEqual((await numbers(1, 'own_2')).slice(0, 5), [7, 9, 2, 5, 10]);
  assert.equal((await numbers(50, 'own_2')).at(-1), 1_003);
  assert.equal((await numbers(1, '-own_2'))[0], 1_108);
  assert.equal((await numbers(50, '-own_2')).at(-1), 111);
});
