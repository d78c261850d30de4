/**
 * Reads all items that match a query in batches, so that memory does not grow with the number of items. Each batch
 * is one statement, and between two batches nothing is open in the database. So a slow client does not keep SQLite's
 * log from being emptied, and holds no connection to PostgreSQL. The items of one batch are of the same moment; those
 * of the file are not.
 *
 * With a filter or another order than by number, one query first reads the numbers of all matches, as a text of
 * about 7 bytes per item. An item that is deleted before its batch is read is left out.
 */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { createDefinitions, type DefinitionsReader } from '../../own-fields/definitions.ts';
import { toDay } from '../../site/format.ts';
import { fromFound, selectFound } from '../item-matches.ts';
import { toOrderBy } from '../item-order.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import { type Item, selectItems, toItem } from '../item-rows.ts';
import { type KnownQuery, knowOwn } from '../match-own.ts';
import { orderByOwn, withOwnValue } from '../own-order.ts';

/** Items per batch. SQLite blocks the event loop for some milliseconds to read one. */
const BATCH = 250;

export type Batches = AsyncGenerator<readonly Item[], void>;

/** Rejects with a `DatabaseUnavailable` before anything is read. */
export type ExportItems = (query: ItemQuery) => Promise<Batches>;

export function createItemExport(
  database: Pick<Database, 'check' | 'read' | 'slowRead' | 'statement'>,
  now: () => Date = () => new Date(),
  definitions: Pick<DefinitionsReader, 'read' | 'known'> = createDefinitions(database),
): ExportItems {
  const { check, read, slowRead } = database;
  return async (asked) => {
    const query = await knowOwn(definitions, asked);
    const { order } = query;
    if (!isFiltered(query) && (order === 'newest' || order === 'oldest')) {
      await check();
      return inTurns(readByNumber(read, order));
    }
    return inTurns(readListed(read, await findNumbers(slowRead, query, toDay(now()))));
  };
}

/** SQLite never yields by itself: without this, a fast client would block the event loop. */
async function* inTurns(batches: Batches): Batches {
  for await (const items of batches) {
    yield items;
    await setImmediate();
  }
}

async function* readByNumber(source: Kysely<Schema>, order: 'newest' | 'oldest'): Batches {
  const isDown = order === 'newest';
  for (let last = isDown ? Number.MAX_SAFE_INTEGER : 0; ; ) {
    const rows = await selectWithTags(source)
      .where('items.number', isDown ? '<' : '>', last)
      .orderBy('items.number', isDown ? 'desc' : 'asc')
      .limit(BATCH)
      .execute();
    if (rows.length > 0) yield rows.map(splitTags);
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.number ?? 0;
  }
}

async function* readListed(source: Kysely<Schema>, numbers: string): Batches {
  for (let at = 0; at < numbers.length; ) {
    const batch: number[] = [];
    while (at < numbers.length && batch.length < BATCH) {
      const comma = numbers.indexOf(',', at);
      const end = comma === -1 ? numbers.length : comma;
      batch.push(Number(numbers.slice(at, end)));
      at = end + 1;
    }
    const rows = await selectWithTags(source).where('items.number', 'in', batch).execute();
    const byNumber = new Map(rows.map((row) => [row.number, splitTags(row)]));
    yield batch.flatMap((number) => byNumber.get(number) ?? []);
  }
}

/** With the tags, because a write between two statements would give an item the tags of another moment. */
function selectWithTags(source: Kysely<Schema>) {
  return selectItems(source).select(
    sql<string | null>`(select string_agg(tag, ',' order by position) from item_tags
      where item_number = items.number)`.as('tagList'),
  );
}

type ExportRow = Awaited<ReturnType<ReturnType<typeof selectWithTags>['execute']>>[number];

/** No tag contains a comma: the form separates them by it. */
function splitTags({ tagList, ...row }: ExportRow): Item {
  return toItem(row, tagList?.split(',').map((tag) => ({ tag })) ?? []);
}

/** The numbers in order, separated by commas. */
async function findNumbers(
  read: Kysely<Schema>,
  query: KnownQuery,
  today: string,
): Promise<string> {
  const list = (order: RawBuilder<unknown>, of = sql`items.number`) =>
    sql`select string_agg(cast(${of} as text), ',' order by ${order}) as numbers`;
  const { order: asked, sorted } = query;
  let listed = sql<{ readonly numbers: string | null }>`${
    sorted === null
      ? sql`${list(toOrderBy(asked))} from items`
      : sql`${list(orderByOwn(asked), sql`found.number`)} from ${withOwnValue(sorted, 'items')}`
  }`;
  if (isFiltered(query)) {
    const { found, order } = await selectFound(read, query, today);
    listed = sql`with found as materialized (${found})
      ${list(order, sql`found.number`)} from ${fromFound(query)}`;
  }
  const { rows } = await listed.execute(read);
  return rows[0]?.numbers ?? '';
}
