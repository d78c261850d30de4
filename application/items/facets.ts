/**
 * The locations and tags that items have, each with the number of its items: the table `item_facets`.
 * Triggers count (migrations/0001-first-release.ts), so a count is exact whatever wrote the item.
 *
 * Names are compared by a key without case, width and odd spaces. The triggers know the case of ASCII letters only, so
 * whatever writes a location or a tag calls `writeFacetKeys` in the same transaction.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';

export type FacetField = 'location' | 'tag';

/** The columns whose values are counted. */
export const FACET_SOURCES = [
  { field: 'location', table: 'items', column: 'location' },
  { field: 'tag', table: 'item_tags', column: 'tag' },
] as const;

const NOT_ASCII = /[^\0-\x7f]/;
const HEAP_OF_MARKS = /\p{M}{31}/u;

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Commas that have no space before them and one behind them, and single spaces, stay as they are. */
const ODD_SPACES = /\s,|,(?=[^ ])|\s\s|[^\S ]|^\s|\s$/;

/** Two names with the same key differ only in case, width or spaces. Accents count: “Bär” is not “Bar”. */
export function toFacetKey(name: string): string {
  // NFC sorts the marks of one letter in quadratic time; `normalizeText` leaves such text as it is, too.
  const stays = !NOT_ASCII.test(name) || HEAP_OF_MARKS.test(name);
  const wide = stays ? name : name.replaceAll(INVISIBLE, '').normalize('NFKC');
  // Upper case merges more spellings: "ß" becomes "SS", and both lower-case sigmas become one letter.
  const upper = stays ? wide.toUpperCase() : wide.toUpperCase().normalize('NFC');
  if (!ODD_SPACES.test(upper)) return upper;
  return upper
    .replaceAll(/\s*,\s*/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Of names with the same key, the first. */
export function distinctNames(names: readonly string[]): readonly string[] {
  if (names.length < 2) return names;
  const keys = names.map(toFacetKey);
  return names.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}

/** Whether the triggers write another key. */
function hasOwnKey(name: string): boolean {
  return NOT_ASCII.test(name) || ODD_SPACES.test(name);
}

export interface FacetMatch {
  /** On the column `location` or `tag`. */
  readonly condition: RawBuilder<unknown>;
  /** How many items have the name. */
  readonly items: number;
}

/**
 * Finds what has the name, in any spelling. For a location, what is inside it matches too: “Office, drawer 2” matches
 * “Office”, and “Office2” does not.
 */
export async function matchFacet(
  read: Kysely<Schema>,
  field: FacetField,
  name: string,
): Promise<FacetMatch> {
  const key = toFacetKey(name);
  const isInside =
    field === 'tag' ? sql`` : sql` or field = ${field} and ${isKeyInside(sql`key`, sql`${key}`)}`;
  const named = sql`from item_facets where field = ${field} and key = ${key}${isInside}`;
  const outermost = outermostOf(read, sql`name`);
  const { rows } = await sql<Spellings>`select min(name) as first, max(name) as last,
      min(${outermost}) as "firstOutermost", max(${outermost}) as "lastOutermost",
      sum(items) as items ${named}`.execute(read);
  const { first, last, firstOutermost, lastOutermost, items } = rows[0] as Spellings;
  const matchOn = (column: RawBuilder<unknown>) => {
    if (field === 'location' && !name.includes(',') && firstOutermost === lastOutermost)
      return sql`${outermostOf(read, column)} = ${firstOutermost ?? name}`;
    // With one name, the engines read the newest items of the index. With several, PostgreSQL reads all of them, and
    // SQLite reads only the newest of each name if the limit is small.
    if (first === last) return sql`${column} = ${first ?? name}`;
    return sql`${column} in (select name ${named})`;
  };
  return { condition: matchOn(sql.ref(field)), items: Number(items ?? 0) };
}

/** Null if no item has the name. */
interface Spellings {
  readonly first: string | null;
  readonly last: string | null;
  readonly firstOutermost: string | null;
  readonly lastOutermost: string | null;
  readonly items: number | null;
}

/** The location that all others are inside: the text up to the first comma. An index of the items has it. */
export function outermostOf(
  source: Kysely<Schema>,
  location: RawBuilder<unknown>,
): RawBuilder<string> {
  return isSqlite(source)
    ? sql`substr(${location}, 1, instr(${location} || ',', ',') - 1)`
    : sql`split_part(${location}, ',', 1)`;
}

/** A condition: the inner key is that of a location inside the outer one, so it begins with it and a comma. */
export function isKeyInside(
  inner: RawBuilder<unknown>,
  outer: RawBuilder<unknown>,
): RawBuilder<boolean> {
  // The minus is the character after the comma, so this is a range of the index.
  return sql`${inner} >= ${outer} || ',' and ${inner} < ${outer} || '-'`;
}

/** Of the levels that a location has; what is deeper belongs to the last of them. */
const MAX_DEPTH = 6;

/** The location and all that it is inside, outermost first; at most `MAX_DEPTH`. */
export function pathOf(location: string): readonly string[] {
  const commas = [...location.matchAll(/(?<=[^\s,，]\s*)[,，]/g)].map(({ index }) => index);
  const outer = commas.map((comma) => location.slice(0, comma).trimEnd());
  return [...outer, location].slice(0, MAX_DEPTH);
}

/** Call it after writing the locations and tags. It writes only keys that the triggers do not know. */
export async function writeFacetKeys(
  transaction: KyselyTransaction,
  field: FacetField,
  names: readonly string[],
): Promise<void> {
  for (const name of names.filter(hasOwnKey)) {
    const key = toFacetKey(name);
    await transaction
      .updateTable('item_facets')
      .set({ key })
      .where('field', '=', field)
      .where('name', '=', name)
      .where('key', '!=', key)
      .execute();
  }
}

const BATCH = 500;

/** Rebuilds the table, for a copy. */
export async function countAllFacets(transaction: Kysely<Schema>): Promise<void> {
  await sql`delete from item_facets`.execute(transaction);
  for (const { field, table, column } of FACET_SOURCES) {
    const name = sql.ref(column);
    await sql`insert into item_facets (field, name, key, items)
      select ${sql.lit(field)}, ${name}, upper(${name}), count(*) from ${sql.table(table)}
      where ${name} <> '' group by ${name}`.execute(transaction);
  }
  await writeAllFacetKeys(transaction);
}

/** Writes the keys of all names, after a program other than this application has written items. */
export async function writeAllFacetKeys(transaction: Kysely<Schema>): Promise<void> {
  for (const { field } of FACET_SOURCES) {
    for (let last = ''; ; ) {
      const rows = await transaction
        .selectFrom('item_facets')
        .select('name')
        .where('field', '=', field)
        .where('name', '>', last)
        .orderBy('name')
        .limit(BATCH)
        .execute();
      const names = rows.map(({ name }) => name);
      await writeFacetKeys(transaction as KyselyTransaction, field, names);
      last = names.at(-1) ?? '';
      if (names.length < BATCH) break;
    }
  }
}
