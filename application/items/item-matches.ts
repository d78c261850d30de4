/**
 * The items that match the filters of a list, as SQL. A search finds words that begin with what was typed, and words
 * that contain it. By default the items of the first kind come first, each kind with the newest first: `place` is that
 * order.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { matchFacet } from './facets.ts';
import { type Order, toOrderBy } from './item-order.ts';
import type { ItemQuery } from './item-query.ts';
import { matchInside, matchWords } from './item-search.ts';
import { whereStatus } from './item-status.ts';
import { findInside, type Term } from './item-vocabulary.ts';
import { toSearchWords } from './search-words.ts';

/** The maximum number of items in a list with a filter or another order than by number. */
export const MAX_RESULTS = 10_000;
/** The same with a search. Finding ten times as many takes ten times as long, for each page. */
export const MAX_FOUND = 1_000;

export function limitOf({ search }: ItemQuery): number {
  return search === '' ? MAX_RESULTS : MAX_FOUND;
}

export interface Matches {
  /** One query per filter, for the numbers of its matches. */
  readonly queries: readonly RawBuilder<unknown>[];
  /** The one of them for a search, which finds the beginnings of words. */
  readonly search: RawBuilder<unknown> | null;
  /** The same with other queries for the search, which find words that contain it, and some of the items again. */
  readonly inside: readonly (readonly RawBuilder<unknown>[])[];
  /** The number of matches, if it is known without counting them. */
  readonly count: number | null;
}

/**
 * The matches are "materialized" to be counted and limited: with only the small limit of a page, PostgreSQL would
 * search item by item for a rare word. So it also plans to find `MAX_RESULTS` of a search, and ends after `MAX_FOUND`.
 */
export function withListed(
  read: Kysely<Schema>,
  matches: Matches,
  query: ItemQuery,
): RawBuilder<unknown> {
  const limit = sql`limit ${limitOf(query) + 1}`;
  if (matches.inside.length > 0) {
    const planned = isSqlite(read) ? limit : sql`limit ${MAX_RESULTS + 1}`;
    return sql`with found as materialized (${selectPlaces(read, matches, planned, limit)} ${limit})`;
  }
  const newest = selectNewest(read, matches);
  if (query.search === '' || isSqlite(read))
    return sql`with found as materialized (${newest} ${limit})`;
  return sql`with planned as materialized (${newest} limit ${MAX_RESULTS + 1}),
    found as materialized (select number from planned ${limit})`;
}

/** More than the number of any item. */
const BEGINS = sql.lit(2 ** 52);

/** Each number once, with its place: the highest comes first. */
function selectPlaces(
  read: Kysely<Schema>,
  { queries, inside }: Matches,
  planned: RawBuilder<unknown> = sql``,
  limit: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const select = (way: Matches['queries'], place: RawBuilder<unknown>) => sql`select number,
    ${place} as place from (with planned as materialized
      (${intersect(read, way)} order by number desc ${planned})
      select number from planned ${limit}) as way`;
  const ways = [
    select(queries, sql`number + ${BEGINS}`),
    ...inside.map((way) => select(way, sql`number`)),
  ];
  return sql`select number, max(place) as place from (${sql.join(ways, sql` union all `)}) as ways
    group by number order by place desc`;
}

/** The order of `found`. */
export function orderFound({ inside }: Pick<Matches, 'inside'>, order: Order): RawBuilder<unknown> {
  if (order !== 'newest') return toOrderBy(order);
  return inside.length > 0 ? sql`found.place desc` : sql`found.number desc`;
}

/** All matches, also of words inside others. */
async function findAllMatches(
  read: Kysely<Schema>,
  query: ItemQuery,
  today: string,
): Promise<Matches> {
  const { words } = toSearchWords(query.search);
  const matches = await findMatches(read, words, query, today);
  return words.length === 0 ? matches : addInside(read, matches, await findInside(read, words));
}

export interface FoundItems {
  /** A query for the numbers, or a "with" clause that finds them as `found`. */
  readonly found: RawBuilder<unknown>;
  /** The order of `found`. */
  readonly order: RawBuilder<unknown>;
  /** Whether `found` has the column `place`. */
  readonly hasPlaces: boolean;
}

/** A "with" clause that finds the items of the list, and one more if there are more. */
export async function withFound(
  read: Kysely<Schema>,
  query: ItemQuery,
  today: string,
): Promise<FoundItems> {
  const matches = await findAllMatches(read, query, today);
  return toFound(matches, query, withListed(read, matches, query));
}

/** The numbers of the items that match all conditions, in the order of the list of the newest. */
export async function selectFound(
  read: Kysely<Schema>,
  query: ItemQuery,
  today: string,
): Promise<FoundItems> {
  const matches = await findAllMatches(read, query, today);
  const select = matches.inside.length > 0 ? selectPlaces : selectNewest;
  return toFound(matches, query, select(read, matches));
}

function toFound(matches: Matches, { order }: ItemQuery, found: RawBuilder<unknown>): FoundItems {
  return { found, order: orderFound(matches, order), hasPlaces: matches.inside.length > 0 };
}

export function selectNewest(
  read: Kysely<Schema>,
  { queries }: Pick<Matches, 'queries'>,
): RawBuilder<unknown> {
  return sql`${intersect(read, queries)} order by number desc`;
}

/** With the items that have the words inside others. */
export function addInside(read: Kysely<Schema>, matches: Matches, terms: readonly Term[]): Matches {
  const inside = matchInside(read, terms).map((search) =>
    matches.queries.map((query) => (query === matches.search ? search : query)),
  );
  return { ...matches, inside };
}

/**
 * Selects the numbers that all queries return. SQLite merges sorted queries as it reads them; PostgreSQL chooses by
 * its statistics which one to start with.
 */
function intersect(read: Kysely<Schema>, queries: Matches['queries']): RawBuilder<unknown> {
  if (isSqlite(read)) return sql.join(queries, sql` intersect `);
  const [first] = queries;
  if (first !== undefined && queries.length === 1) return first;
  const conditions = queries.map((query) => sql`number in (${query})`);
  return sql`select number from items where ${sql.join(conditions, sql` and `)}`;
}

/** The items with words that begin with those of the search. */
export async function findMatches(
  read: Kysely<Schema>,
  words: readonly string[],
  { search, tag, location, show }: ItemQuery,
  today: string,
): Promise<Matches> {
  const queries: RawBuilder<unknown>[] = [];
  if (show !== '') queries.push(sql`select number from items where ${whereStatus(show, today)}`);
  const place = location === '' ? null : await matchFacet(read, 'location', location);
  if (place !== null) queries.push(sql`select number from items where ${place.condition}`);
  const searched = search === '' ? null : matchWords(read, words);
  if (searched !== null) queries.push(searched);
  if (tag !== '') {
    // An item can have a tag twice, or in two spellings. An intersection with another condition removes duplicates
    // anyway.
    const once = queries.length === 0 ? sql`distinct` : sql``;
    const { condition } = await matchFacet(read, 'tag', tag);
    queries.push(sql`select ${once} item_number as number from item_tags where ${condition}`);
  }
  const count = place !== null && queries.length === 1 ? place.items : null;
  return { queries, search: searched, inside: [], count };
}
