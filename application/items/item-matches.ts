/**
 * The items that match the filters of a list, as SQL. By default a search lists the best first, and of equally good
 * ones the newest: `place` is that order. item-search.ts says what is better.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { matchFacet } from './facets.ts';
import { isOwnOrder, toOrderBy } from './item-order.ts';
import type { ItemQuery } from './item-query.ts';
import { matchRanks, type Ranked } from './item-search.ts';
import { whereStatus } from './item-status.ts';
import { findInside } from './item-vocabulary.ts';
import {
  type Check,
  isBroad,
  type KnownQuery,
  matchOwn,
  type OwnSort,
  type Range,
  selectRange,
} from './match-own.ts';
import { orderByOwn, withOwnValue } from './own-order.ts';
import { toSearchWords } from './search-words.ts';

/** The maximum number of items in a list with a filter or another order than by number. */
export const MAX_RESULTS = 10_000;
/**
 * The same with a search, with a filter by a field of the team's own, or with any filter in the order of such a field.
 * Finding ten times as many takes ten times as long, for each page.
 */
export const MAX_FOUND = 1_000;

export function limitOf({ search, own, order }: Pick<ItemQuery, 'search' | 'own' | 'order'>) {
  return search === '' && own.length === 0 && !isOwnOrder(order) ? MAX_RESULTS : MAX_FOUND;
}

export interface Matches {
  /** Ways to find the items, best first; only a search has several. */
  readonly ways: readonly Way[];
  /** The number of matches, if it is known without counting them. */
  readonly count: number | null;
  /** The only filter, if it is a range of the field that the list is sorted by; null for any other list. */
  readonly range: Range | null;
}

interface Way {
  /** One query per filter, for the numbers of its matches. */
  readonly queries: readonly RawBuilder<unknown>[];
  /** What else must be true of each item: filters that most items match. */
  readonly checks: readonly Check[];
  readonly rank: number;
}

/**
 * The matches are "materialized" to be counted and limited: with only the small limit of a page, PostgreSQL would
 * search item by item for a rare word. So it also plans to find `MAX_RESULTS` of a search, and ends after `MAX_FOUND`.
 * When one way of a search has found enough, PostgreSQL begins none of the worse ones. SQLite would repeat each way for
 * every such question.
 */
export function withListed(
  read: Kysely<Schema>,
  matches: Matches,
  query: KnownQuery,
): RawBuilder<unknown> {
  const limit = limitOf(query) + 1;
  if (query.search === '')
    return sql`with found as materialized (${selectNewest(read, matches)} limit ${limit})`;
  const names = matches.ways.map((_, at) => sql.ref(`way${at}`));
  const planned = (way: Way) => sql`${intersect(read, way)} order by number desc`;
  const ways = matches.ways.map((way, at) => {
    const full = names
      .slice(0, at)
      .map((name) => sql`exists (select 1 from ${name} limit 1 offset ${limit - 1})`);
    const rest =
      at === 0
        ? sql`${limit}`
        : sql`case when ${sql.join(full, sql` or `)} then 0 else ${limit} end`;
    const found = isSqlite(read)
      ? sql`${planned(way)} limit (${rest})`
      : sql`with planned as materialized (${planned(way)} limit ${MAX_RESULTS + 1})
        select number from planned limit (${rest})`;
    return sql`${names[at]} as materialized (${found})`;
  });
  const places = matches.ways.map(
    ({ rank }, at) => sql`select number, ${toPlace(rank)} as place from ${names[at]}`,
  );
  return sql`with ${sql.join(ways)}, found as materialized (${mergePlaces(places)} limit ${limit})`;
}

/** More than the number of any item; times eight, it is still a number of JavaScript. */
const RANK = 2 ** 49;

function toPlace(rank: number): RawBuilder<unknown> {
  return rank === 0 ? sql`number` : sql`number + ${sql.lit(rank * RANK)}`;
}

/** Each number once, with its place: the highest comes first. */
function mergePlaces(places: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`select number, max(place) as place from (${sql.join(places, sql` union all `)}) as ways
    group by number order by place desc`;
}

function selectPlaces(read: Kysely<Schema>, { ways }: Matches): RawBuilder<unknown> {
  return mergePlaces(
    ways.map(
      (way) =>
        sql`select number, ${toPlace(way.rank)} as place from (${intersect(read, way)}) as way`,
    ),
  );
}

/** The order of `found`, which is joined as `fromFound` says. */
export function orderFound({ search, order, sorted }: KnownQuery): RawBuilder<unknown> {
  if (sorted !== null) return orderByOwn(order);
  if (order !== 'newest') return toOrderBy(order);
  return search === '' ? sql`found.number desc` : sql`found.place desc`;
}

/** The found items with what their order needs. "cross join" tells SQLite which table to read first. */
export function fromFound({ order, sorted }: KnownQuery): RawBuilder<unknown> {
  if (sorted !== null) return withOwnValue(sorted, 'found');
  if (order === 'newest') return sql`found`;
  return sql`found cross join items where items.number = found.number`;
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
  query: KnownQuery,
  today: string,
): Promise<FoundItems> {
  const matches = await findAllMatches(read, query, today, limitOf(query));
  return toFound(query, withListed(read, matches, query));
}

/** The numbers of the items that match all conditions, in the order of the list of the newest. */
export async function selectFound(
  read: Kysely<Schema>,
  query: KnownQuery,
  today: string,
): Promise<FoundItems> {
  const matches = await findAllMatches(read, query, today, null);
  return toFound(query, (query.search === '' ? selectNewest : selectPlaces)(read, matches));
}

async function findAllMatches(
  read: Kysely<Schema>,
  query: KnownQuery,
  today: string,
  limit: number | null,
): Promise<Matches> {
  const filters = await findFilters(read, query, today, limit);
  if (query.search === '') return filters;
  const terms = await findInside(read, toSearchWords(query.search).words);
  return searchIn(filters, matchRanks(read, terms, query.seesBorrowers, query.searched));
}

function toFound(query: KnownQuery, found: RawBuilder<unknown>): FoundItems {
  return { found, order: orderFound(query), hasPlaces: query.search !== '' };
}

/** Without a search. */
export function selectNewest(read: Kysely<Schema>, { ways }: Matches): RawBuilder<unknown> {
  return sql`${intersect(read, ways[0] ?? NO_FILTER)} order by number desc`;
}

const NO_FILTER = { queries: [], checks: [] };

/**
 * Selects the numbers that all queries return. SQLite merges sorted queries as it reads them; PostgreSQL chooses by
 * its statistics which one to start with.
 */
function intersect(
  read: Kysely<Schema>,
  { queries, checks }: Pick<Way, 'queries' | 'checks'>,
): RawBuilder<unknown> {
  if (checks.length > 0) {
    const number = queries.length === 0 ? sql`items.number` : sql`narrowed.number`;
    const conditions = sql.join(
      checks.map((check) => check(number)),
      sql` and `,
    );
    if (queries.length === 0) return sql`select number from items where ${conditions}`;
    return sql`select number from (${intersect(read, { queries, checks: [] })}) as narrowed
      where ${conditions}`;
  }
  // A filter of the address can say nothing for its kind of value.
  if (queries.length === 0) return sql`select number from items`;
  if (isSqlite(read)) return sql.join(queries, sql` intersect `);
  const [first] = queries;
  if (first !== undefined && queries.length === 1) return first;
  const conditions = queries.map((query) => sql`number in (${query})`);
  return sql`select number from items where ${sql.join(conditions, sql` and `)}`;
}

/**
 * The items that match all filters but the search. With a limit, a range of values that is the only filter ends there:
 * its first items by value.
 */
export async function findFilters(
  read: Kysely<Schema>,
  query: KnownQuery,
  today: string,
  limit: number | null,
): Promise<Matches> {
  const { search, tag, location, show, kind } = query;
  const queries: RawBuilder<unknown>[] = [];
  const checks: Check[] = [];
  if (show !== '') queries.push(sql`select number from items where ${whereStatus(show, today)}`);
  const place = location === '' ? null : await matchFacet(read, 'location', location);
  if (place !== null) queries.push(sql`select number from items where ${place.condition}`);
  if (kind === 'none') checks.push((number) => hasNoKind(number));
  else if (kind !== '') queries.push(sql`select number from items where kind = ${Number(kind)}`);
  const own = query.own.flatMap((filter) => matchOwn(read, filter) ?? []);
  queries.push(...own.flatMap((match) => match.query ?? []));
  const isOnlyPlace = queries.length === 1 && checks.length + own.length === 0 && tag === '';
  const count = place !== null && isOnlyPlace ? place.items : null;
  if (tag !== '') {
    // An intersection with another condition removes duplicates anyway.
    const isAlone = queries.length + checks.length + own.length === 0 && search === '';
    const { condition } = await matchFacet(read, 'tag', tag);
    queries.push(
      sql`select ${isAlone ? sql`distinct` : sql``} item_number as number from item_tags where ${condition}`,
    );
  }
  const isAlone = queries.length + checks.length === 0 && own.length === 1 && search === '';
  let only: Range | null = null;
  for (const { query: found, check, range } of own) {
    if (found !== null) continue;
    if (isAlone && isSortedBy(range, query.sorted)) only = range;
    if (range !== null && isAlone) queries.push(selectRange(range, limit, query));
    else if (range !== null && !(await isBroad(read, range)))
      queries.push(selectRange(range, null, query));
    else if (check !== null) checks.push(check);
  }
  return { ways: [{ queries, checks, rank: 0 }], count, range: only };
}

function isSortedBy(range: Range | null, sorted: OwnSort | null): boolean {
  return range !== null && range.field === sorted?.field && range.column === sorted.column;
}

function hasNoKind(number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select 1 from items as kindless
    where kindless.number = ${number} and kindless.kind is null)`;
}

/** Those of them that a search finds. */
export function searchIn({ ways }: Matches, ranked: readonly Ranked[]): Matches {
  const { queries, checks } = ways[0] ?? NO_FILTER;
  const found = ranked.map(({ query, rank }) => ({ queries: [...queries, query], checks, rank }));
  return { ways: found, count: null, range: null };
}
