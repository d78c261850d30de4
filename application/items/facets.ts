/**
 * The locations and tags that items have, each with the number of its items: the table `item_facets`.
 * Triggers count (migrations/0011-item-facets.ts), so a count is exact whatever wrote the item.
 *
 * Names are compared by a key without case. The triggers know the case of ASCII letters only, so whatever
 * writes a location or a tag calls `writeFacetKeys` in the same transaction.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

export type FacetField = 'location' | 'tag';

export interface Facet {
  /** As it is spelled in the items. */
  readonly name: string;
  /** An item that has a tag twice counts twice. */
  readonly items: number;
}

export interface FacetRange {
  readonly limit: number;
  /** Only names that come after this one. */
  readonly after?: string;
}

export interface Facets {
  /** Sorted without regard to case. Reads the index up to the limit: 1 ms for 2,000 names. */
  readonly list: (field: FacetField, range: FacetRange) => Promise<readonly Facet[]>;
  /** Most items first. Names beyond 500 are sorted in the thread of searches: 10 ms for 10,000. */
  readonly mostUsed: (field: FacetField, limit: number) => Promise<readonly Facet[]>;
}

export function createFacets({ read, slowRead }: Pick<Database, 'read' | 'slowRead'>): Facets {
  const list: Facets['list'] = async (field, { limit, after }) => {
    const source = limit > MAX_AT_ONCE ? slowRead : read;
    const names = selectNames(source, field);
    const rest =
      after === undefined
        ? names
        : names.where(sql<boolean>`(key, name) > (${toFacetKey(after)}, ${after})`);
    return rest.orderBy('key').orderBy('name').limit(limit).execute();
  };

  return {
    list,
    async mostUsed(field, limit) {
      // Nearly every team has few names, and no need of the thread.
      const some = await selectNames(read, field).limit(MAX_AT_ONCE).execute();
      if (some.length < MAX_AT_ONCE) return some.sort(byItems).slice(0, limit);
      return selectNames(slowRead, field)
        .orderBy('items', 'desc')
        .orderBy('name')
        .limit(limit)
        .execute();
    },
  };
}

function selectNames(source: Kysely<Schema>, field: FacetField) {
  return source.selectFrom('item_facets').select(['name', 'items']).where('field', '=', field);
}

function byItems(one: Facet, other: Facet): number {
  return other.items - one.items || (one.name < other.name ? -1 : 1);
}

/** Names that SQLite reads while the event loop waits. */
const MAX_AT_ONCE = 500;

const HEAP_OF_MARKS = /\p{M}{31}/u;

/** Two names with the same key differ only in case. Accents count: “Bär” is not “Bar”. */
export function toFacetKey(name: string): string {
  // Upper case merges more spellings: "ß" becomes "SS", and both lower-case sigmas become one letter.
  const upper = name.toUpperCase();
  // NFC sorts the marks of one letter in quadratic time; `normalizeText` leaves such text as it is, too.
  return HEAP_OF_MARKS.test(upper) ? upper : upper.normalize('NFC');
}

/**
 * The condition on a column that it has the name, in any spelling. A location is also met by what is inside
 * it: “Office” by “Office, drawer 2”, and not by “Office2”.
 */
export async function matchFacet(
  read: Kysely<Schema>,
  field: FacetField,
  name: string,
): Promise<RawBuilder<unknown>> {
  const spellings = selectSpellings(field, name);
  const { rows } = await sql<{ readonly name: string }>`${spellings} limit 2`.execute(read);
  const [first] = rows;
  // With one name, the engines read the newest items of the index, and with several all of them.
  return rows.length > 1 ? sql`in (${spellings})` : sql`= ${first?.name ?? name}`;
}

function selectSpellings(field: FacetField, name: string): RawBuilder<unknown> {
  const key = toFacetKey(name);
  // The character after the comma is the minus: between the two is all that begins with name and comma.
  const inside =
    field === 'tag'
      ? sql``
      : sql` union select name from item_facets
        where field = ${field} and key >= ${`${key},`} and key < ${`${key}-`}`;
  // The name itself, because an older release writes no key of other letters than ASCII.
  return sql`select name from item_facets where field = ${field} and key = ${key}
    union select name from item_facets where field = ${field} and name = ${name}${inside}`;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Call it after the locations and tags were written. Without a letter outside of ASCII it does nothing. */
export async function writeFacetKeys(
  transaction: Writing,
  field: FacetField,
  names: readonly string[],
): Promise<void> {
  for (const name of names.filter((one) => NOT_ASCII.test(one))) {
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

/** For a migration and a copy, where the triggers counted items that no model wrote. */
export async function writeAllFacetKeys(transaction: Kysely<Schema>): Promise<void> {
  for (const field of ['location', 'tag'] as const) {
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
      await writeFacetKeys(transaction as Writing, field, names);
      last = names.at(-1) ?? '';
      if (names.length < BATCH) break;
    }
  }
}
