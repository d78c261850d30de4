/**
 * The search index: the words of those fields of each item that a search finds, in the table
 * `item_words`, and the different words of all items (item-vocabulary.ts). The transaction that creates an item writes
 * them. They are updated, deleted and restored with the item; a trigger deletes those of `item_words`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Awaitable } from 'seeother/middleware';
import { type Database, isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { parseValues, valuesText } from '../own-fields/own-values.ts';
import { toSortKey } from '../site/fold-text.ts';
import { distinctNames, writeAllFacetKeys } from './facets.ts';
import { ITEM_COLUMNS, type ItemInput, searchedTexts } from './item-fields.ts';
import { readTags } from './item-rows.ts';
import {
  addToVocabulary,
  clearVocabulary,
  MARKS,
  ownMark,
  PLAIN,
  prepareVocabulary,
  selectForgotten,
  type Term,
} from './item-vocabulary.ts';
import { type Loan, loansText, parseLoans } from './loan.ts';
import { type SoughtWord, toItemWords } from './search-words.ts';
import { choicesWith, NO_FIELDS, type SearchedFields } from './searched-fields.ts';

/** What is searched of an item: its fields, and who has it. */
export interface SearchedItem extends ItemInput {
  readonly loans?: readonly Pick<Loan, 'to'>[];
}

/**
 * Writes the words of the new item. `further` is called after them, with the count of `selectForgotten`, unless the
 * item was changed meanwhile in the same transaction.
 */
export function prepareWords(database: Database) {
  const insert = database.statement(insertWords);
  const find = database.statement(selectWordless);
  const addNew = prepareVocabulary(database);
  return async (
    transaction: KyselyTransaction,
    number: number,
    item: ItemInput,
    further: (forgotten: number | null) => Awaitable<void>,
  ) => {
    const { words, inside } = wordsOf(item);
    const row = { number, words };
    if (!isSqlite(transaction)) {
      // Only this statement sees what was committed while the transaction waited for its number.
      const [inserted] = await insert.run(transaction, row);
      const forgotten = inserted?.forgotten ?? null;
      await addNew(transaction, inside, forgotten);
      return further(forgotten);
    }
    // On SQLite words cost less after all other statements: see docs/decisions/group-commit.md.
    transaction.atEnd(async () => {
      // Other writes may have run since in the same transaction.
      const [found] = await find.run(transaction, { number });
      if (found?.number !== number) return;
      await insert.run(transaction, row);
      await addNew(transaction, inside, found.forgotten);
      return further(found.forgotten);
    });
  };
}

/** Queries for the numbers of items, of which a better one has a higher rank. */
export interface Ranked {
  readonly query: RawBuilder<unknown>;
  readonly rank: number;
}

/** The best ones of `matchRanks`: words of the name begin with all words of the search. The first begins the name. */
export function matchNames(read: Kysely<Schema>, words: readonly SoughtWord[]): readonly Ranked[] {
  const inName = toChoices(words, IN_NAME);
  const [beginning, ...others] = [
    ...toChoices(words.slice(0, 1), [MARKS.first]),
    ...inName.slice(1),
  ];
  if (beginning === undefined) return [];
  return [
    { query: matchAny(read, [beginning, ...others]), rank: BEST },
    { query: matchAny(read, inName), rank: BEST - 1 },
  ];
}

const BEST = 8;
const IN_NAME = [MARKS.first, MARKS.name];

/**
 * The items that have all words of a search, best first: words of the name begin with them, contain them; then in the
 * name, the location and the tags; in the serial number, too; by the borrower, for those who may see one; anywhere.
 */
export function matchRanks(
  read: Kysely<Schema>,
  terms: readonly Term[],
  seesBorrowers: boolean,
  fields: SearchedFields = NO_FIELDS,
): readonly Ranked[] {
  const { label, serial, borrower } = MARKS;
  const begin = (...marks: readonly string[]) => [matchAny(read, toChoices(terms, marks))];
  const contain = (...marks: readonly string[]) => matchInside(read, terms, marks);
  const anywhere = [
    ...[PLAIN, ...IN_NAME, label, serial],
    ...(seesBorrowers ? [borrower] : []),
    ...fields.marks,
  ];
  const inChoices = (word: SoughtWord) => choicesWith(fields, word);
  const ways: readonly (readonly RawBuilder<unknown>[])[] = [
    contain(...IN_NAME),
    begin(...IN_NAME, label),
    contain(...IN_NAME, label),
    begin(...IN_NAME, label, serial),
    seesBorrowers ? begin(...IN_NAME, label, serial, borrower) : [],
    [matchAny(read, toChoices(terms, anywhere, undefined, inChoices))],
    matchInside(read, terms, anywhere, inChoices),
  ];
  const others = ways.flatMap((queries, at) =>
    queries.map((query) => ({ query, rank: BEST - 2 - at })),
  );
  return [...matchNames(read, terms), ...others];
}

/**
 * Queries that find the items in which some words of a search are inside a word, and the others begin one; none if no
 * word is inside another one.
 *
 * PostgreSQL estimates an "or" of two hundred words as half of all items, and then tries all. So the words that few
 * items have get a query of their own, which the planner cannot estimate and looks up in the index.
 */
function matchInside(
  read: Kysely<Schema>,
  terms: readonly Term[],
  marks: readonly string[],
  toTokens?: (word: SoughtWord) => readonly string[],
): readonly RawBuilder<unknown>[] {
  if (terms.every(({ inside }) => inside.length === 0)) return [];
  const all = toChoices(terms, marks, ({ inside }) => inside, toTokens);
  if (isSqlite(read)) return [matchAny(read, all)];
  const queries: RawBuilder<unknown>[] = [];
  if (terms.some(({ common }) => common.length > 0))
    queries.push(
      matchAny(
        read,
        toChoices(terms, marks, ({ common }) => common, toTokens),
      ),
    );
  const rare = terms.flatMap((term) => term.inside.filter((word) => !term.common.includes(word)));
  const marked = marks.flatMap((mark) => rare.map((word) => mark + word));
  if (marked.length > 0)
    queries.push(sql`select rowid as number from item_words
      where words @@ (select ${marked.join(' | ')}::tsquery)
        and words @@ (select ${toTsquery(all)}::tsquery)`);
  return queries;
}

/** The items in which words of the field of the team's own begin with all words. */
export function matchOwnWords(
  read: Kysely<Schema>,
  field: number,
  words: readonly SoughtWord[],
): RawBuilder<unknown> {
  return matchAny(read, toChoices(words, [ownMark(field)]));
}

/** What stands for one word of a search: beginnings of words, or whole words. */
interface Choice {
  readonly beginnings: readonly string[];
  readonly wholes: readonly string[];
}

function toChoices<Sought extends SoughtWord>(
  words: readonly Sought[],
  marks: readonly string[],
  toOthers: (word: Sought) => readonly string[] = () => [],
  /** Whole words with their marks. */
  toTokens: (word: Sought) => readonly string[] = () => [],
): readonly Choice[] {
  return words.map((sought) => {
    const { word, isWhole, joined } = sought;
    const beginnings = [...(isWhole ? [] : [word]), ...(joined === null ? [] : [joined])];
    const wholes = [...(isWhole ? [word] : []), ...toOthers(sought)];
    const mark = (words: readonly string[]) => marks.flatMap((one) => words.map((w) => one + w));
    return { beginnings: mark(beginnings), wholes: [...mark(wholes), ...toTokens(sought)] };
  });
}

function matchAny(read: Kysely<Schema>, choices: readonly Choice[]): RawBuilder<unknown> {
  if (!isSqlite(read))
    return sql`select rowid as number from item_words
      where words @@ ${toTsquery(choices)}::tsquery`;
  const query = choices.map(
    ({ beginnings, wholes }) =>
      `(${[...beginnings.map((one) => `"${one}"*`), ...wholes.map((one) => `"${one}"`)].join(' OR ')})`,
  );
  return sql`select rowid as number from item_words
    where item_words match ${query.join(' AND ') || '""'}`;
}

function toTsquery(choices: readonly Choice[]): string {
  return choices
    .map(
      ({ beginnings, wholes }) =>
        `(${[...beginnings.map((one) => `${one}:*`), ...wholes].join(' | ')})`,
    )
    .join(' & ');
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
    readonly before: SearchedItem;
    readonly after: SearchedItem & { readonly number: number };
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
  items: readonly (SearchedItem & { readonly number: number })[],
): Promise<void> {
  const inside: string[] = [];
  const rows = items.map((item) => {
    const own = wordsOf(item);
    inside.push(...own.inside);
    return { rowid: item.number, words: own.words };
  });
  await transaction.insertInto('item_words').values(rows).execute();
  await addToVocabulary(transaction, inside);
}

const BATCH = 500;

/** Rebuilds the words of all items, and writes the sort keys that are missing. */
export async function indexAllItems(transaction: KyselyTransaction): Promise<void> {
  await sql`delete from item_words`.execute(transaction);
  await clearVocabulary(transaction);
  for (let last = 0; ; ) {
    const rows = await selectSearched(transaction).where('number', '>', last).execute();
    if (rows.length === 0) return;
    await indexRows(transaction, rows);
    last = rows.at(-1)?.number ?? 0;
  }
}

/**
 * Indexes items that an older release has written: they have no sort key. A transaction for each batch, so a start that
 * is killed goes on where it was. Resolves to their number.
 */
export async function indexOldItems(database: Pick<Database, 'write'>): Promise<number> {
  for (let done = 0; ; ) {
    const count = await database.write(async (transaction) => {
      const old = await selectSearched(transaction).where('name_key', 'is', null).execute();
      if (old.length === 0) return 0;
      const numbers = await lockRows(
        transaction,
        'items',
        old.map(({ number }) => number),
      );
      // Others may have changed them before they were locked, or deleted them all.
      if (numbers.length === 0) return old.length;
      const rows = await selectSearched(transaction).where('number', 'in', numbers).execute();
      await transaction.deleteFrom('item_words').where('rowid', 'in', numbers).execute();
      await removeDoubleTags(transaction, rows);
      await indexRows(transaction, rows);
      return old.length;
    });
    done += count;
    if (count > 0) continue;
    if (done > 0) await database.write(writeAllFacetKeys);
    return done;
  }
}

function selectSearched(transaction: KyselyTransaction) {
  return transaction
    .selectFrom('items')
    .select(['number', 'name_key', 'kind', ...ITEM_COLUMNS])
    .select([loansText(transaction).as('loans'), valuesText(transaction).as('own')])
    .orderBy('number')
    .limit(BATCH);
}

/** An older release could store “green, GREEN”. */
async function removeDoubleTags(
  transaction: KyselyTransaction,
  items: readonly { readonly number: number }[],
): Promise<void> {
  const tags = Map.groupBy(await readTags(transaction, items), ({ number }) => number);
  for (const [number, own] of tags) {
    const names = own.map(({ tag }) => tag);
    const first = distinctNames(names);
    const doubles = names.filter((tag) => !first.includes(tag));
    if (doubles.length === 0) continue;
    await transaction
      .deleteFrom('item_tags')
      .where('item_number', '=', number)
      .where('tag', 'in', doubles)
      .execute();
  }
}

/** Items without words. */
async function indexRows(
  transaction: KyselyTransaction,
  rows: Awaited<ReturnType<ReturnType<typeof selectSearched>['execute']>>,
): Promise<void> {
  const tags = Map.groupBy(await readTags(transaction, rows), (row) => row.number);
  const items = rows.map((row) => {
    const own = tags.get(row.number) ?? [];
    const parsed = { loans: parseLoans(row.loans), own: parseValues(row.own) };
    return { ...row, ...parsed, tags: own.map(({ tag }) => tag) };
  });
  const keyless = items.filter(({ name_key }) => name_key === null);
  if (keyless.length > 0) {
    const keys = keyless.map(
      ({ number, name }) => sql`(cast(${number} as bigint), cast(${toSortKey(name)} as text))`,
    );
    await sql`with keys (number, name_key) as (values ${sql.join(keys)})
      update items set name_key = keys.name_key from keys
      where items.number = keys.number`.execute(transaction);
  }
  await addWords(transaction, items);
}

/** The first word, with its unit or its other sizes: “10 mm”, “M8 x 30”. */
const BEGINNING = /^\s*(?:\p{N}+\s+)?\S+(?:\s+[x×*]\s+\S+)*/iu;

interface Indexed {
  /** With spaces between them. */
  readonly words: string;
  /** Those that are in the vocabulary, so that a search finds what is inside them. One can be there twice. */
  readonly inside: readonly string[];
}

/** Every create runs this, so it makes few lists. */
function wordsOf(item: SearchedItem): Indexed {
  const inside: string[] = [];
  const marked: string[] = [];
  const add = (mark: string, words: readonly string[]) => {
    if (words.length > 0) marked.push(mark + words.join(` ${mark}`));
  };
  const first = toItemWords(item.name.match(BEGINNING)?.[0] ?? '');
  add(MARKS.first, first.own);
  add(MARKS.first, first.others);
  const isLater = (word: string) => !first.own.includes(word) && !first.others.includes(word);
  searchedTexts(item).forEach(({ text, search, rank }) => {
    if (text === '') return;
    const { own, others } = toItemWords(text);
    const mark = rank === null ? PLAIN : MARKS[rank];
    add(mark, rank === 'name' ? own.filter(isLater) : own);
    add(mark, rank === 'name' ? others.filter(isLater) : others);
    if (search === 'inside') inside.push(...own);
  });
  for (const [id, value] of Object.entries(item.own)) {
    const mark = ownMark(Number(id));
    const { own, others } = toItemWords([value].flat().join(' '));
    add(mark, own);
    add(mark, others);
  }
  item.loans?.forEach(({ to }) => {
    const borrower = toItemWords(to);
    add(MARKS.borrower, borrower.own);
    add(MARKS.borrower, borrower.others);
  });
  return { words: marked.join(' '), inside };
}
