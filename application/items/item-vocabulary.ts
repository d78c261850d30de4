/**
 * The vocabulary: the different words of all items, in the table `item_vocabulary`. A search inside words finds the
 * words there, and then the items that have one of them. There are far fewer words than items, and most items have no
 * new one.
 *
 * A word stays when the last item that has it is deleted: it finds nothing.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Connection } from 'seeother/database';
import { nextNumber } from '../database/counter.ts';
import { type Database, isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { type SoughtWord, toItemWords } from './search-words.ts';

/**
 * What is before a word of `item_words`: so one index tells where the word stands. The first word of a name has a mark
 * of its own. No word contains these characters. A visitor's search leaves out the words of borrowers.
 */
export const MARKS = { first: '¡', name: '«', label: '·', serial: '§', borrower: '¶' } as const;
/** Each field of the team's own has a mark of its own, a private character, so that a filter finds its words alone. */
export function ownMark(field: number): string {
  return String.fromCodePoint(FIRST_MARK + Math.min(field, MAX_MARKS));
}
const FIRST_MARK = 0xe000;
const MAX_MARKS = 0x18ff;
/** Before a word of another text. */
export const PLAIN = '';
const SHOWN_TO_ALL = [PLAIN, MARKS.first, MARKS.name, MARKS.label, MARKS.serial];

/** Shorter words have no inside that a search finds. */
const MIN_WORD = 4;
/** Fewer letters are a beginning only. */
const MIN_INSIDE = 3;
/** Maximum words that one word of a search stands for. Each is looked up in the index of the items. */
const MAX_INSIDE = 200;
/** The counter of `selectForgotten`. */
const FORGOTTEN = 'forgotten words';
/** Words that this process has seen in the vocabulary, at most. */
const MAX_KNOWN = 20_000;

/** A number is found by its beginning alone: nearly every item can have another one. */
const hasInside = (word: string) =>
  word.length >= MIN_WORD && /\p{L}/u.test(word) && Array.from(word).length >= MIN_WORD;

/**
 * Counts how often words were forgotten or places changed, by any process. A transaction that reads it adds the words
 * of an item.
 */
export function selectForgotten(source: Kysely<Schema>) {
  return source.selectFrom('counters').select('value').where('name', '=', FORGOTTEN);
}

/**
 * Adds the words of new items. Most are known, so this costs no statement. `forgotten` is the count of
 * `selectForgotten`: what this process has seen before counts no more after another one has forgotten words.
 */
export function prepareVocabulary({ engine }: Pick<Database, 'engine'>) {
  let known = new Set<string>();
  let knownAt: number | null = null;
  return async (
    transaction: KyselyTransaction,
    words: readonly string[],
    forgotten: number | null,
  ): Promise<void> => {
    if (forgotten !== knownAt) known = new Set();
    knownAt = forgotten;
    const fresh = words.filter((word) => !known.has(word) && hasInside(word));
    if (fresh.length === 0) return;
    await (engine === 'sqlite' ? addOnSqlite : addOnPostgres)(transaction, fresh);
    transaction.onCommit(() => {
      if (forgotten !== knownAt) return;
      if (known.size > MAX_KNOWN) known = new Set();
      for (const word of fresh) known.add(word);
    });
  };
}

/** Adds the words of many items. */
export async function addToVocabulary(
  transaction: KyselyTransaction,
  words: readonly string[],
): Promise<void> {
  const fresh = [...new Set(words)].filter(hasInside);
  if (fresh.length > 0)
    await (isSqlite(transaction) ? addOnSqlite : addOnPostgres)(transaction, fresh);
}

/** Statements of one row without "returning": others make FTS5 flush, see docs/decisions/group-commit.md. */
async function addOnSqlite(transaction: Connection, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const { changes } = await transaction.run(
      'insert or ignore into item_vocabulary (word) values (?)',
      [word],
    );
    if (changes > 0)
      await transaction.run(
        'insert into item_trigrams (rowid, word) values (last_insert_rowid(), substr(?, 2))',
        [word],
      );
  }
}

/** In one order, or two transactions could each wait for a word of the other. */
async function addOnPostgres(transaction: Connection, words: readonly string[]): Promise<void> {
  await transaction.run(
    `insert into item_vocabulary (word, trigrams)
      select word, array(select substr(word, at, 3) from generate_series(2, length(word) - 2) as at)
      from unnest(string_to_array($1, ' ')) as word order by word collate "C"
      on conflict do nothing`,
    [words.join(' ')],
  );
}

/** What any process has seen before its next transaction counts no more. */
export async function forgetKnown(transaction: KyselyTransaction): Promise<void> {
  await nextNumber(transaction, FORGOTTEN);
}

/**
 * Words that no item has any more, after an administrator has removed the texts for ever. The caller has locked the
 * revision of the items, as every transaction that writes their words.
 */
export async function forgetWords(
  transaction: KyselyTransaction,
  texts: readonly string[],
): Promise<void> {
  await forgetKnown(transaction);
  for (const word of toItemWords(texts.join(' ')).own.filter(hasInside)) {
    const places = SHOWN_TO_ALL.map((mark) => mark + word);
    const used = isSqlite(transaction)
      ? sql`item_words match ${places.map((one) => `"${one}"`).join(' OR ')}`
      : sql`words @@ ${places.join(' | ')}::tsquery`;
    const gone = sql`word = ${word}
      and not exists (select 1 from item_words where ${used})`;
    if (isSqlite(transaction))
      await sql`delete from item_trigrams where rowid in
        (select id from item_vocabulary where ${gone})`.execute(transaction);
    await sql`delete from item_vocabulary where ${gone}`.execute(transaction);
  }
}

/** Before the vocabulary is built anew. */
export async function clearVocabulary(transaction: Kysely<Schema>): Promise<void> {
  if (isSqlite(transaction)) await sql`delete from item_trigrams`.execute(transaction);
  await sql`delete from item_vocabulary`.execute(transaction);
}

/** A word of a search, with the words that contain it after their first letter. */
export interface Term extends SoughtWord {
  readonly inside: readonly string[];
  /** Those that many items have, which is known only on PostgreSQL. */
  readonly common: readonly string[];
  /** Whether there are more than `MAX_INSIDE`. */
  readonly isCut: boolean;
}

/** One query for all words. */
export async function findInside(
  read: Kysely<Schema>,
  words: readonly SoughtWord[],
): Promise<readonly Term[]> {
  const select = isSqlite(read) ? selectInsideOnSqlite : selectInsideOnPostgres;
  const parts = words.flatMap(({ word }, at) => {
    const letters = Array.from(word);
    return letters.length < MIN_INSIDE
      ? []
      : [sql`select * from (${select(word, letters, at)}) as part`];
  });
  const rows =
    parts.length === 0
      ? []
      : (await sql<Found>`${sql.join(parts, sql` union all `)}`.execute(read)).rows;
  return words.map((sought, index) => {
    const found = rows.filter(({ at }) => at === index);
    const inside = found.slice(0, MAX_INSIDE);
    const common = inside.filter(({ is_common }) => is_common);
    const toText = (row: Found) => row.word;
    return {
      ...sought,
      inside: inside.map(toText),
      common: common.map(toText),
      isCut: found.length > MAX_INSIDE,
    };
  });
}

interface Found {
  readonly at: number;
  readonly word: string;
  readonly is_common: boolean | 0;
}

type SelectInside = (word: string, letters: readonly string[], at: number) => RawBuilder<unknown>;

const toTrigrams = (letters: readonly string[]) =>
  letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));

/** The newest words first. */
const selectInsideOnSqlite: SelectInside = (word, letters, at) => {
  const trigrams = toTrigrams(letters).map((one) => `"${one}"`);
  return sql`select ${sql.lit(at)} as at, item_vocabulary.word, 0 as is_common
    from item_trigrams cross join item_vocabulary
    where item_trigrams match ${trigrams.join(' ')} and item_vocabulary.id = item_trigrams.rowid
      and instr(substr(item_vocabulary.word, 2), ${word}) > 0
    order by item_trigrams.rowid desc limit ${MAX_INSIDE + 1}`;
};

/** PostgreSQL's statistics have the words that are in more than about one item in a thousand. */
const IS_COMMON = sql`coalesce(array[${sql.join(SHOWN_TO_ALL.map((mark) => sql`${sql.lit(mark)} || word`))}] &&
  (select most_common_elems::text::text[] from pg_stats
  where schemaname = any (current_schemas(false)) and tablename = 'item_words'
    and attname = 'words'), false)`;

const selectInsideOnPostgres: SelectInside = (word, letters, at) => {
  const trigrams = toTrigrams(letters).join(' ');
  return sql`select ${sql.lit(at)} as at, word, ${IS_COMMON} as is_common
    from item_vocabulary where trigrams @> string_to_array(${trigrams}, ' ')
      and strpos(substr(word, 2), ${word}) > 0
    limit ${MAX_INSIDE + 1}`;
};

/** A character above all letters and digits of a word. */
const LAST = '\u{10ffff}';

/** For each candidate that words begin with, the first of them; the candidate itself if it is a word. */
export async function findBeginnings(
  read: Kysely<Schema>,
  candidates: readonly string[],
): Promise<readonly { candidate: string; word: string; isCommon: boolean }[]> {
  const each = isSqlite(read)
    ? sql`select value as candidate from json_each(${JSON.stringify(candidates)})`
    : sql`select unnest(string_to_array(${candidates.join(' ')}, ' ')) collate "C" as candidate`;
  const { rows } = await sql<{ candidate: string; word: string; is_common: boolean | 0 }>`
    select candidate, word, ${isSqlite(read) ? sql`0` : IS_COMMON} as is_common from
      (select candidate, (select word from item_vocabulary
        where word >= candidate and word < candidate || ${LAST} order by word limit 1) as word
      from (${each}) as candidates) as found
    where word is not null`.execute(read);
  return rows.map(({ candidate, word, is_common }) => ({
    ...{ candidate, word, isCommon: Boolean(is_common) },
  }));
}
