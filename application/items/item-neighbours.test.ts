import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { addItem, openTestDatabase, repeatOnEngines } from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import { ORDERS } from './item-order.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import type { NewItem } from './item-rows.ts';

const THING: NewItem = { name: 'Thing', description: '', quantity: 1, location: '', tags: [] };

repeatOnEngines('previous and next lead through each list in its order', async (t) => {
  const database = await openTestDatabase(t);
  // Equal names and quantities, so that the numbers decide; more than one page.
  for (let number = 1; number <= 47; number++) {
    await addItem(database, {
      ...THING,
      name: ['Saw', 'drill', 'Drill', 'Äxte'][number % 4] ?? '',
      quantity: number % 3,
      location: number % 5 === 0 ? 'Office, left' : 'office',
      tags: number % 7 === 0 ? ['Red', 'red'] : ['blue'],
    });
  }
  await database.write(async (transaction) => {
    await sql`delete from items where number in (20, 47)`.execute(transaction);
    await sql`update items set updated_at = '2030-01-01T00:00:00.000Z' where number < 9`.execute(
      transaction,
    );
  });
  const items = createItems(database);
  const filters: readonly Partial<ItemQuery>[] = [
    {},
    { location: 'Office' },
    { tag: 'red' },
    { search: 'drill', location: 'office' },
  ];
  for (const order of ORDERS)
    for (const filter of filters) {
      const query = { ...ALL_ITEMS, ...filter, order };
      const { pageCount } = await items.list(1, query);
      const listed: number[] = [];
      for (let page = 1; page <= pageCount; page++)
        listed.push(...(await items.list(page, query)).items.map(({ number }) => number));
      for (const [at, number] of listed.entries()) {
        const around = { previous: listed[at - 1] ?? null, next: listed[at + 1] ?? null };
        assert.deepEqual(
          await items.neighbours(number, query),
          around,
          `${number} in ${JSON.stringify(query)}`,
        );
      }
    }
});

repeatOnEngines('an item that is not in the list has the neighbours of its place', async (t) => {
  const database = await openTestDatabase(t);
  for (const tag of ['x', 'y', 'x']) await addItem(database, { ...THING, tags: [tag] });
  const { neighbours } = createItems(database);
  const query = { ...ALL_ITEMS, tag: 'x' };
  assert.deepEqual(await neighbours(2, query), { previous: 3, next: 1 });
  assert.deepEqual(await neighbours(2, { ...query, order: 'name' }), { previous: 1, next: 3 });
  assert.deepEqual(await neighbours(2, { ...query, tag: 'z' }), { previous: null, next: null });
});
