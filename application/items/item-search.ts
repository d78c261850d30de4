/**
 * What items are found by: the words of their name, description, location and tags, kept in
 * `item_words` by whoever adds an item, in its transaction. The words go with their item.
 *
 * The hard case: items that an older version has added, which knows of no words, while the newer one
 * was being rolled out. So an item gets its words only after all before it; whoever adds one makes up
 * for those that have none, a thousand at a time.
 */
import { type Kysely, sql } from 'kysely';
import { countUp } from '../database/counter.ts';
import type { Database, Writing } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { type ItemInput, selectItems, withTags } from './item-rows.ts';
import { toWords } from './search-words.ts';

type Found = Pick<ItemInput, 'name' | 'description' | 'location' | 'tags'>;

export interface ItemNumber {
  readonly number: number;
  /**
   * Whether the item before it has words, as far as could be seen by the way: PostgreSQL does not see
   * what was committed while it waited for the counter.
   */
  readonly isAfterWords: boolean;
}

/** Takes the number of the next item. */
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

/** Writes the words of the item that has just been added, or of those whose turn it is before it. */
export function prepareWords(database: Database) {
  const insert = database.statement(insertWords);
  return async (transaction: Writing, { number, isAfterWords }: ItemNumber, item: Found) => {
    const last = isAfterWords ? number - 1 : await findLast(transaction);
    if (last === number - 1) {
      await insert.run(transaction, { number, words: wordsOf(item) });
      return;
    }
    const next = await indexAfter(transaction, last);
    if (next !== null) await indexAfter(transaction, next);
  };
}

function insertWords(
  source: Kysely<Schema>,
  { number, words }: Placeholders<{ readonly number: number; readonly words: string }>,
) {
  return source.insertInto('item_words').values({ rowid: number, words });
}

/** The last item that has words; 0 when none has. */
async function findLast(transaction: Writing): Promise<number> {
  const last = await transaction
    .selectFrom('item_words')
    .select('rowid')
    .orderBy('rowid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.rowid ?? 0;
}

const BATCH = 500;

/** Makes the words of all items anew. */
export async function indexAllItems(transaction: Kysely<Schema>): Promise<void> {
  await sql`delete from item_words`.execute(transaction);
  for (let last: number | null = 0; last !== null; ) last = await indexAfter(transaction, last);
}

/** Resolves to the last of the batch, or null when there was none. */
async function indexAfter(transaction: Kysely<Schema>, number: number): Promise<number | null> {
  const rows = await selectItems(transaction)
    .where('items.number', '>', number)
    .orderBy('items.number')
    .limit(BATCH)
    .execute();
  const items = await withTags(transaction, rows);
  const words = items.map((item) => ({ rowid: item.number, words: wordsOf(item) }));
  if (words.length > 0) await transaction.insertInto('item_words').values(words).execute();
  return items.at(-1)?.number ?? null;
}

export function wordsOf({ name, description, location, tags }: Found): string {
  return toWords([name, description, location, ...tags].join(' ')).join(' ');
}
