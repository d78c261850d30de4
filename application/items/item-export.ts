/**
 * Reads all items that match a query in batches, from one snapshot of the database, so that writes meanwhile do
 * not show and memory does not grow with the number of items.
 *
 * With a filter or another order than by number, one query first reads the numbers of all matches, as a text of
 * about 7 bytes per item. An item that is deleted between this query and the snapshot is left out.
 */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { toDay } from '../site/format.ts';
import { type ItemQuery, isFiltered, selectFound } from './item-list.ts';
import { toOrderBy } from './item-order.ts';
import { type Item, readItems, selectItems, withTags } from './item-rows.ts';
import { toSearchWords } from './search-words.ts';

/** Items per batch. SQLite blocks the event loop for some milliseconds to read one. */
const BATCH = 250;

export type Batches = AsyncGenerator<readonly Item[], void>;

/**
 * Rejects with a `DatabaseUnavailable` before anything is read. The batches hold a snapshot from the first
 * until the generator ends.
 */
export type ExportItems = (query: ItemQuery) => Promise<Batches>;

export function createItemExport(
  database: Pick<Database, 'check' | 'slowRead' | 'snapshot'>,
  now: () => Date = () => new Date(),
): ExportItems {
  return async (query) => {
    const { order } = query;
    if (!isFiltered(query) && (order === 'newest' || order === 'oldest')) {
      await database.check();
      return readInSnapshot(database, (source) => readByNumber(source, order));
    }
    const numbers = await findNumbers(database.slowRead, query, toDay(now()));
    return readInSnapshot(database, (source) => readListed(source, numbers));
  };
}

async function* readInSnapshot(
  { snapshot }: Pick<Database, 'snapshot'>,
  read: (source: Kysely<Schema>) => Batches,
): Batches {
  const begun = Promise.withResolvers<Kysely<Schema>>();
  const ended = Promise.withResolvers<void>();
  const whole = snapshot(async (source) => {
    begun.resolve(source);
    await ended.promise;
  });
  // Before it has begun, this is the error of the first read; afterwards, that of a later one.
  whole.catch(begun.reject);
  try {
    for await (const items of read(await begun.promise)) {
      yield items;
      // SQLite never yields by itself: without this, a fast client would block the event loop.
      await setImmediate();
    }
  } finally {
    ended.resolve();
    await whole.catch(() => {});
  }
}

async function* readByNumber(source: Kysely<Schema>, order: 'newest' | 'oldest'): Batches {
  const isDown = order === 'newest';
  for (let last = isDown ? Number.MAX_SAFE_INTEGER : 0; ; ) {
    const rows = await selectItems(source)
      .where('items.number', isDown ? '<' : '>', last)
      .orderBy('items.number', isDown ? 'desc' : 'asc')
      .limit(BATCH)
      .execute();
    if (rows.length > 0) yield await withTags(source, rows);
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.number ?? 0;
  }
}

async function* readListed(source: Kysely<Schema>, numbers: string): Batches {
  for (let at = 0; at < numbers.length; ) {
    const batch: { readonly number: number }[] = [];
    while (at < numbers.length && batch.length < BATCH) {
      const comma = numbers.indexOf(',', at);
      const end = comma === -1 ? numbers.length : comma;
      batch.push({ number: Number(numbers.slice(at, end)) });
      at = end + 1;
    }
    yield await readItems(source, batch);
  }
}

/** The numbers in order, separated by commas. */
async function findNumbers(read: Kysely<Schema>, query: ItemQuery, today: string): Promise<string> {
  const { words } = toSearchWords(query.search);
  const listed = sql`string_agg(cast(items.number as text), ',' order by ${toOrderBy(query.order)})`;
  const { rows } = await sql<{ readonly numbers: string | null }>`${
    isFiltered(query)
      ? sql`with found as materialized (${await selectFound(read, words, query, today)})
        select ${listed} as numbers from found cross join items where items.number = found.number`
      : sql`select ${listed} as numbers from items`
  }`.execute(read);
  return rows[0]?.numbers ?? '';
}
