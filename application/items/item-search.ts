/**
 * The search index: the words of those fields of each item that a search finds, in the table
 * `item_words`, and the different words of all items (item-vocabulary.ts). The transaction that creates an item writes
 * them. They are updated, deleted and restored with the item; a trigger deletes those of `item_words`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, isSqlite, type KyselyTransaction } from '../database/kysely.ts';
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

/** Writes the words of the new item. */
export function prepareWords(database: Database) {
  const insert = database.statement(insertWords);
  const find = database.statement(selectWordless);
  const addNew = prepareVocabulary(database);
  return async (transaction: KyselyTransaction, number: number, item: ItemInput) => {
    const { words, inside } = wordsOf(item);
    const row = { number, words: words.join(' ') };
    if (!isSqlite(transaction)) {
      // Only this statement sees what was committed while the transaction waited for its number.
      const [inserted] = await insert.run(transaction, row);
      await addNew(transaction, inside, inserted?.forgotten ?? null);
      return;
    }
    // On SQLite words cost less after all other statements: see docs/decisions/group-commit.md.
    transaction.atEnd(async () => {
      // Other writes may have run since in the same transaction.
      const [found] = await find.run(transaction, { number });
      if (found?.number !== number) return;
      await insert.run(transaction, row);
      await addNew(transaction, inside, found.forgotten);
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

/** The number if the item has no words: it was not deleted since, and a change of its text would have written them. */
function selectWordless(
  source: Kysely<Schema>,
  { number }: Placeholders<{ readonly number: number }>,
) {
  return source.selectNoFrom((one) => [
    one
      .selectFrom('items')
      .select('number')
      .where('number', '=', number)
      .where(({ not, exists }) =>
        not(exists(one.selectFrom('item_words').select('rowid').where('rowid', '=', number))),
      )
      .as('number'),
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

/** Updates the words after changes of items. */
export async function replaceWords(
  transaction: KyselyTransaction,
  changes: readonly {
    readonly before: ItemInput;
    readonly after: ItemInput & { number: number };
  }[],
): Promise<void> {
  const changed = changes
    .filter(({ before, after }) => !isDeepStrictEqual(wordsOf(before), wordsOf(after)))
    .map(({ after }) => after);
  if (changed.length === 0) return;
  const numbers = changed.map(({ number }) => number);
  await transaction.deleteFrom('item_words').where('rowid', 'in', numbers).execute();
  await addWords(transaction, changed);
}

/** Writes the words of items that have none. */
export async function addWords(
  transaction: KyselyTransaction,
  items: readonly (ItemInput & { readonly number: number })[],
): Promise<void> {
  const inside: string[] = [];
  const rows = items.map((item) => {
    const own = wordsOf(item);
    inside.push(...own.inside);
    return { rowid: item.number, words: own.words.join(' ') };
  });
  await transaction.insertInto('item_words').values(rows).execute();
  await addToVocabulary(transaction, inside);
}

const BATCH = 500;

/** Rebuilds the words of all items. */
export async function indexAllItems(transaction: KyselyTransaction): Promise<void> {
  await sql`delete from item_words`.execute(transaction);
  await clearVocabulary(transaction);
  for (let last: number | null = 0; last !== null; ) last = await indexAfter(transaction, last);
}

/** Resolves to the last number of the batch, or null if there was no item. */
async function indexAfter(transaction: KyselyTransaction, number: number): Promise<number | null> {
  const rows = await transaction
    .selectFrom('items')
    .select(['number', ...ITEM_COLUMNS])
    .where('number', '>', number)
    .orderBy('number')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return null;
  const tags = Map.groupBy(await readTags(transaction, rows), (row) => row.number);
  const items = rows.map((row) => {
    const own = tags.get(row.number) ?? [];
    return { ...row, tags: own.map(({ tag }) => tag) };
  });
  await addWords(transaction, items);
  return rows.at(-1)?.number ?? null;
}

interface ItemWords {
  readonly words: readonly string[];
  /** Those that are in the vocabulary, so that a search finds what is inside them. */
  readonly inside: readonly string[];
}

function wordsOf(item: ItemInput): ItemWords {
  const texts = searchedTexts(item);
  const inside = toItemWords(texts.inside.join(' '));
  const others = texts.beginning.join(' ').trim();
  return {
    words: others === '' ? inside : [...new Set([...inside, ...toItemWords(others)])],
    inside,
  };
}
