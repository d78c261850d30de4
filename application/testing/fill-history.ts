/**
 * Gives the items of `fillItems` a history for a measurement: two events for each, and one item in 20
 * was deleted. It is written without the model, like the items.
 */
import { type Insertable, sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { analyze, ITEMS_AT_ONCE, sampleItem } from './fill-items.ts';

const BATCH = 400;
/** Every item of this number and its multiples is deleted. */
const DELETED = 20;

/** The items 1 to `count` are there, in their version 3. */
export async function fillHistory(database: Database, count: number): Promise<void> {
  const value = 2 * count + Math.floor(count / DELETED);
  await database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'item events', value }).execute();
    for (let first = 1; first <= value; first += BATCH) {
      const size = Math.min(BATCH, value - first + 1);
      const rows = Array.from({ length: size }, (_, index) => eventOf(first + index, count));
      await transaction.insertInto('item_events').values(rows).execute();
    }
  });
  for (let first = 1; first <= count; first += ITEMS_AT_ONCE)
    await database.write((transaction) =>
      transaction
        .deleteFrom('items')
        .where(sql<boolean>`number % ${sql.lit(DELETED)} = 0`)
        .where('number', '>=', first)
        .where('number', '<', first + ITEMS_AT_ONCE)
        .execute(),
    );
  await database.write((transaction) =>
    analyze(transaction, ['items', 'item_events', 'item_gaps', 'item_facets']),
  );
}

/** First each item was edited, then each was counted, then some were deleted. */
function eventOf(id: number, count: number): Insertable<Schema['item_events']> {
  const number = id <= count ? id : id <= 2 * count ? id - count : (id - 2 * count) * DELETED;
  const { name, quantity, location } = sampleItem(number);
  const at = new Date(Date.UTC(2024, 0, 1, 0, id)).toISOString();
  const row = { id, item_number: number, item_name: name, at, account_id: null, reason: '' };
  const none = { undoes: null, snapshot: null, batch: null };
  if (id <= count) {
    const changes = JSON.stringify({ location: ['Nowhere', location] });
    return { ...row, ...none, version: 2, kind: 'changed', changes };
  }
  if (id <= 2 * count) {
    const changes = JSON.stringify({ quantity: [quantity + 3, quantity] });
    return { ...row, ...none, version: 3, kind: 'counted', changes, reason: 'for the fair' };
  }
  const snapshot = JSON.stringify({ ...sampleItem(number), number, version: 3 });
  return { ...row, ...none, version: 4, kind: 'deleted', changes: '{}', snapshot };
}
