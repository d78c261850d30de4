/**
 * The search index: the words of those fields of each item that a search finds, in the table
 * `item_words`, and the different words of all items (item-vocabulary.ts). The transaction that creates an item writes
 * them; a trigger deletes those of `item_words` with the item.
 *
 * During a rolling update, an older version can create items without words. So words are written in the order of
 * the item numbers: a create first adds missing words of earlier items, a thousand items at a time. The words of
 * an item are updated, deleted and restored with it.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { countUp } from '../database/counter.ts';
import { type Database, isSqlite, type Writing } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { ITEM_COLUMNS, type ItemInput, searchedTexts } from './item-fields.ts';
import { readTags } from './item-rows.ts';
import {
  addToVocabulary,
  clearVocabulary,
  prepareVocabulary,
  selectForgotten,
  type Term,
} from './item-vocabulary.ts';
import { toItemWords } from './search-words.ts';

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
  const addNew = prepareVocabulary(database);
  return async (transaction: Writing, { number, isAfterWords }: ItemNumber, item: ItemInput) => {
    const words = wordsOf(item);
    const addWords = async (forgotten: number | null) => {
      // On PostgreSQL only this statement sees what was committed while the transaction waited for its number.
      const [row] = await insert.run(transaction, { number, words: words.join(' ') });
      await addNew(transaction, words, row === undefined ? forgotten : row.forgotten);
    };
    // On SQLite words cost less after all other statements: see docs/decisions/group-commit.md.
    if (isAfterWords && !isSqlite(transaction)) {
      await addWords(null);
      return;
    }
    transaction.atEnd(async () => {
      // Other writes may have run since in the same transaction.
      const [row] = await find.run(transaction, { number });
      // It was changed or deleted since. If it still exists, the next create adds its words.
      if (row?.created !== number) return;
      const last = row.last ?? 0;
      if (last === number - 1) {
        await addWords(row.forgotten);
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
  return matchAny(
    read,
    beginnings.map((word) => ({ word, others: [] })),
  );
}

/**
 * The items in which each word of a search begins a word or is inside one: queries that together find all of them,
 * and also some that `matchWords` finds. There is none if no word is inside another one.
 *
 * PostgreSQL estimates an "or" of two hundred words as half of all items, and then tries all. So the words that few
 * items have get a query of their own, which the planner cannot estimate and looks up in the index.
 */
export function matchInside(
  read: Kysely<Schema>,
  terms: readonly Term[],
): readonly RawBuilder<unknown>[] {
  const all = terms.map(({ word, inside }) => ({ word, others: inside }));
  if (terms.every(({ inside }) => inside.length === 0)) return [];
  if (isSqlite(read)) return [matchAny(read, all)];
  const common = terms.map((term) => ({ word: term.word, others: term.common }));
  const rare = terms.flatMap((term) => term.inside.filter((word) => !term.common.includes(word)));
  const queries: RawBuilder<unknown>[] = [];
  if (common.some(({ others }) => others.length > 0)) queries.push(matchAny(read, common));
  if (rare.length > 0)
    queries.push(sql`select rowid as number from item_words
      where words @@ (select ${rare.join(' | ')}::tsquery)
        and words @@ (select ${toTsquery(all)}::tsquery)`);
  return queries;
}

/** A beginning, or one of other words. */
interface Choice {
  readonly word: string;
  readonly others: readonly string[];
}

function matchAny(read: Kysely<Schema>, choices: readonly Choice[]): RawBuilder<unknown> {
  if (!isSqlite(read))
    return sql`select rowid as number from item_words
      where words @@ ${toTsquery(choices)}::tsquery`;
  const query = choices.map(({ word, others }) =>
    [`("${word}"*`, ...others.map((other) => `"${other}"`)].join(' OR ').concat(')'),
  );
  return sql`select rowid as number from item_words
    where item_words match ${query.join(' AND ') || '""'}`;
}

function toTsquery(choices: readonly Choice[]): string {
  return choices.map(({ word, others }) => `(${[`${word}:*`, ...others].join(' | ')})`).join(' & ');
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
    selectForgotten(source).as('forgotten'),
  ]);
}

function insertWords(
  source: Kysely<Schema>,
  { number, words }: Placeholders<{ readonly number: number; readonly words: string }>,
) {
  const insert = source.insertInto('item_words').values({ rowid: number, words });
  // With "returning", FTS5 would flush.
  return (
    isSqlite(source) ? insert : insert.returning(selectForgotten(source).as('forgotten'))
  ) as Compilable<{
    readonly forgotten: number | null;
  }>;
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
  changes: readonly {
    readonly before: ItemInput;
    readonly after: ItemInput & { number: number };
  }[],
): Promise<void> {
  const words = new Map<number, readonly string[]>();
  for (const { before, after } of changes) {
    const next = wordsOf(after);
    if (!isDeepStrictEqual(next, wordsOf(before))) words.set(after.number, next);
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
  await insertRows(
    transaction,
    numbers.map((number) => ({ number, words: words.get(number) ?? [] })),
  );
}

/** Writes the words of items that have words by other rules, or none. */
export async function rewriteWords(
  transaction: Writing,
  items: readonly (ItemInput & { readonly number: number })[],
): Promise<void> {
  const numbers = items.map(({ number }) => number);
  await transaction.deleteFrom('item_words').where('rowid', 'in', numbers).execute();
  await insertRows(
    transaction,
    items.map((item) => ({ number: item.number, words: wordsOf(item) })),
  );
}

async function insertRows(
  transaction: Writing,
  items: readonly { readonly number: number; readonly words: readonly string[] }[],
): Promise<void> {
  const rows = items.map(({ number, words }) => ({ rowid: number, words: words.join(' ') }));
  await transaction.insertInto('item_words').values(rows).execute();
  await addToVocabulary(
    transaction,
    items.flatMap(({ words }) => words),
  );
}

/** Writes the words of restored items. */
export async function indexRestored(
  transaction: Writing,
  items: readonly (ItemInput & { readonly number: number })[],
): Promise<void> {
  const end = await findLast(transaction);
  const rows = items
    .filter(({ number }) => number < end)
    .map((item) => ({ number: item.number, words: wordsOf(item) }));
  if (rows.length > 0) await insertRows(transaction, rows);
  // Beyond the last item with words, earlier items come first: see the top of this file.
  const highest = Math.max(...items.map(({ number }) => number));
  for (let last: number | null = end; last !== null && last < highest; )
    last = await indexAfter(transaction, last);
}

const BATCH = 500;

/** Rebuilds the words of all items. */
export async function indexAllItems(transaction: Writing): Promise<void> {
  await sql`delete from item_words`.execute(transaction);
  await clearVocabulary(transaction);
  for (let last: number | null = 0; last !== null; ) last = await indexAfter(transaction, last);
}

/** Resolves to the last number of the batch, or null if there was no item. */
async function indexAfter(transaction: Writing, number: number): Promise<number | null> {
  const rows = await transaction
    .selectFrom('items')
    .select(['number', ...ITEM_COLUMNS])
    .where('number', '>', number)
    .orderBy('number')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return null;
  const tags = Map.groupBy(await readTags(transaction, rows), (row) => row.number);
  const words = rows.map((row) => {
    const own = tags.get(row.number) ?? [];
    return { number: row.number, words: wordsOf({ ...row, tags: own.map(({ tag }) => tag) }) };
  });
  await insertRows(transaction, words);
  return rows.at(-1)?.number ?? null;
}

export function wordsOf(item: ItemInput): readonly string[] {
  return toItemWords(searchedTexts(item).join(' '));
}
