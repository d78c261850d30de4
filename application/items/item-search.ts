/**
 * The search index: the words of each item's name, description, location and tags, in the table
 * `item_words`. The transaction that creates an item writes them; a trigger deletes them with the item.
 *
 * During a rolling update, an older version can create items without words. So words are written in the order of
 * the item numbers: a create first adds missing words of earlier items, a thousand items at a time. The words of
 * an item are updated, deleted and restored with it.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countUp } from '../database/counter.ts';
import { type Database, isSqlite, type Writing } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { type ItemInput, readTags } from './item-rows.ts';
import { toWords } from './search-words.ts';

type Found = Pick<ItemInput, 'name' | 'description' | 'location' | 'tags'>;

export interface ItemNumber {
  readonly number: number;
  /**
   * Whether the previous item has words, as far as this query can see: PostgreSQL does not see rows that
   * were committed while it waited for the counter.
   */
  readonly isAfterWords: boolean;
}

/** Takes the next item number. */
export function prepareItemNumber(database: Database) {
  const take = database.statement((source) =>
    countUp(source, 'items').returning((row) =>
      row
        .selectFrom('item_words')
        .select('rowid')
        .where('rowid', '=', row('counters.value', '-', 1))
        .as('before'),
    ),
  );
  return async (transaction: Writing): Promise<ItemNumber> => {
    const [row] = await take.run(transaction, {});
    if (row === undefined) throw new Error('Cannot take the next number: no row came back.');
    return { number: row.value, isAfterWords: row.before !== null };
  };
}

/** Writes the words of the new item, and those of earlier items that have none. */
export function prepareWords(database: Database) {
  const insert = database.statement(insertWords);
  const find = database.statement(selectBeforeWords);
  return async (transaction: Writing, { number, isAfterWords }: ItemNumber, item: Found) => {
    const addWords = () => insert.run(transaction, { number, words: wordsOf(item) });
    // On SQLite words cost less after all other statements: see docs/decisions/group-commit.md.
    if (isAfterWords && !isSqlite(transaction)) {
      await addWords();
      return;
    }
    transaction.atEnd(async () => {
      // Other writes may have run since in the same transaction.
      const [row] = await find.run(transaction, { number });
      // It was changed or deleted since. If it still exists, the next create adds its words.
      if (row?.created !== number) return;
      const last = row.last ?? 0;
      if (last === number - 1) {
        await addWords();
        return;
      }
      const next = await indexAfter(transaction, last);
      if (next !== null) await indexAfter(transaction, next);
    });
  };
}

/** The numbers of the items that have a word with each of the beginnings; none without a beginning. */
export function matchWords(
  read: Kysely<Schema>,
  beginnings: readonly string[],
): RawBuilder<unknown> {
  if (isSqlite(read)) {
    const query = beginnings.map((word) => `"${word}"*`).join(' ') || '""';
    return sql`select rowid as number from item_words where item_words match ${query}`;
  }
  const query = beginnings.map((word) => `${word}:*`).join(' & ');
  return sql`select rowid as number from item_words where words @@ ${query}::tsquery`;
}

/** The item if it is as it was created, and the last item with words. */
function selectBeforeWords(
  source: Kysely<Schema>,
  { number }: Placeholders<{ readonly number: number }>,
) {
  return source.selectNoFrom((one) => [
    one
      .selectFrom('items')
      .select('number')
      .where('number', '=', number)
      .where('version', '=', 1)
      .as('created'),
    one.selectFrom('item_words').select('rowid').orderBy('rowid', 'desc').limit(1).as('last'),
  ]);
}

function insertWords(
  source: Kysely<Schema>,
  { number, words }: Placeholders<{ readonly number: number; readonly words: string }>,
) {
  return source.insertInto('item_words').values({ rowid: number, words });
}

/** The last item with words; 0 if there is none. */
async function findLast(transaction: Writing): Promise<number> {
  const last = await transaction
    .selectFrom('item_words')
    .select('rowid')
    .orderBy('rowid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.rowid ?? 0;
}

/** Updates the words after changes of items. An item without words gets them from the next create instead. */
export async function replaceWords(
  transaction: Writing,
  changes: readonly { readonly before: Found; readonly after: Found & { number: number } }[],
): Promise<void> {
  const words = new Map<number, string>();
  for (const { before, after } of changes) {
    const next = wordsOf(after);
    if (next !== wordsOf(before)) words.set(after.number, next);
  }
  if (words.size === 0) return;
  const found = await transaction
    .selectFrom('item_words')
    .select('rowid')
    .where('rowid', 'in', [...words.keys()])
    .execute();
  const numbers = found.map(({ rowid }) => rowid);
  if (numbers.length === 0) return;
  await transaction.deleteFrom('item_words').where('rowid', 'in', numbers).execute();
  const rows = numbers.map((rowid) => ({ rowid, words: words.get(rowid) ?? '' }));
  await transaction.insertInto('item_words').values(rows).execute();
}

/** Writes the words of restored items. */
export async function indexRestored(
  transaction: Writing,
  items: readonly (Found & { readonly number: number })[],
): Promise<void> {
  const end = await findLast(transaction);
  const rows = items
    .filter(({ number }) => number < end)
    .map((item) => ({ rowid: item.number, words: wordsOf(item) }));
  if (rows.length > 0) await transaction.insertInto('item_words').values(rows).execute();
  // Beyond the last item with words, earlier items come first: see the top of this file.
  const highest = Math.max(...items.map(({ number }) => number));
  for (let last: number | null = end; last !== null && last < highest; )
    last = await indexAfter(transaction, last);
}

const BATCH = 500;

/** Rebuilds the words of all items. */
export async function indexAllItems(transaction: Kysely<Schema>): Promise<void> {
  await sql`delete from item_words`.execute(transaction);
  for (let last: number | null = 0; last !== null; ) last = await indexAfter(transaction, last);
}

/** Resolves to the last number of the batch, or null if there was no item. */
async function indexAfter(transaction: Kysely<Schema>, number: number): Promise<number | null> {
  const rows = await transaction
    .selectFrom('items')
    .select(['number', 'name', 'description', 'location'])
    .where('number', '>', number)
    .orderBy('number')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return null;
  const tags = Map.groupBy(await readTags(transaction, rows), (row) => row.number);
  const words = rows.map((row) => {
    const own = tags.get(row.number) ?? [];
    return { rowid: row.number, words: wordsOf({ ...row, tags: own.map(({ tag }) => tag) }) };
  });
  await transaction.insertInto('item_words').values(words).execute();
  return rows.at(-1)?.number ?? null;
}

export function wordsOf({ name, description, location, tags }: Found): string {
  return toWords([name, description, location, ...tags].join(' ')).join(' ');
}
