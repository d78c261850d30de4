/**
 * Pages of the list of items. Without a filter and in the order of item numbers, the position of a page is known
 * without counting rows, so the list has no limit. With a filter or in another order, the list ends after
 * `MAX_RESULTS` items, or `MAX_FOUND` of a search, and says so; a filtered list contains the newest matches.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { toDay } from '../site/format.ts';
import { matchFacet } from './facets.ts';
import {
  countItems,
  createNumberingReader,
  type Numbering,
  type NumberingReader,
} from './item-gaps.ts';
import { type Order, toOrderBy } from './item-order.ts';
import { type Item, readItems, selectItems, selectTagsBetween, toItems } from './item-rows.ts';
import { matchWords } from './item-search.ts';
import { type ItemStatus, whereStatus } from './item-status.ts';
import { createSearchQueue } from './search-queue.ts';
import { toSearchWords } from './search-words.ts';

export const PAGE_SIZE = 20;
/** The maximum number of items in a list with a filter or another order than by number. */
export const MAX_RESULTS = 10_000;
/** The same with a search. Finding ten times as many takes ten times as long, for each page. */
export const MAX_FOUND = 1_000;

/** The filters and the order of a list; an empty text is no filter. */
export interface ItemQuery {
  /** An item matches if each of these words is the beginning of one of its words. */
  readonly search: string;
  /** Case is ignored for tags and locations; see facets.ts. */
  readonly tag: string;
  readonly location: string;
  readonly show: ItemStatus | '';
  readonly order: Order;
}

export const ALL_ITEMS: ItemQuery = {
  search: '',
  tag: '',
  location: '',
  show: '',
  order: 'newest',
};

export interface ItemPage {
  readonly items: readonly Item[];
  /** From 1; the last page if a later one was requested. */
  readonly page: number;
  readonly pageCount: number;
  /** The number of matching items; that of the listed ones, if there are more and only a count would tell how many. */
  readonly itemCount: number;
  /** Whether there are more items than the list shows. */
  readonly isTruncated: boolean;
  /** Whether words of the search were ignored; see search-words.ts. */
  readonly isSearchShortened: boolean;
}

export function isFiltered({ search, tag, location, show }: ItemQuery): boolean {
  return search !== '' || tag !== '' || location !== '' || show !== '';
}

/** Rejects with SearchQueueFull if too many filtered lists are requested. */
export type ListItems = (
  requestedPage: number,
  query: ItemQuery,
  /** Items on a page, 20 by default. It divides `MAX_FOUND`. */
  size?: number,
) => Promise<ItemPage>;

export function createItemList(
  database: Pick<Database, 'read' | 'slowRead' | 'statement'>,
  now: () => Date = () => new Date(),
  queueSearch = createSearchQueue(),
): ListItems {
  const { read } = database;
  const reader = createNumberingReader(database);
  const listByNumber = createListByNumber(database, reader);
  return async (requestedPage, query, size = PAGE_SIZE) => {
    const asked = { page: requestedPage, size };
    if (isFiltered(query))
      return queueSearch(() => listFound(database, asked, query, toDay(now())));
    const { order } = query;
    const numbering = await reader.numbering();
    return order === 'newest' || order === 'oldest'
      ? listByNumber(asked, order, numbering)
      : listSorted(read, asked, order, countItems(numbering));
  };
}

/** A page that was requested: there may be fewer. */
interface Asked {
  readonly page: number;
  readonly size: number;
}

/** The unfiltered list by number, which users request most. */
function createListByNumber(
  { statement }: Pick<Database, 'statement'>,
  { findPosition }: NumberingReader,
) {
  const findRows = statement(selectBelow);
  const findTags = statement(selectTagsBetween);
  return async (
    asked: Asked,
    order: 'newest' | 'oldest',
    numbering: Numbering,
  ): Promise<ItemPage> => {
    const itemCount = countItems(numbering);
    const { page, pageCount } = toPage(asked, itemCount);
    const before = (page - 1) * asked.size;
    const size = Math.min(asked.size, itemCount - before);
    // With the oldest first, pages count from the other end.
    const skipped = order === 'newest' ? before : itemCount - before - size;
    const { from, offset } = await findPosition(numbering, skipped);
    const rows = await findRows.all({ from, size, offset });
    const range = { first: rows.at(-1)?.number ?? 0, last: rows[0]?.number ?? 0 };
    const tags = await findTags.all(range);
    const items = toItems(order === 'newest' ? rows : rows.toReversed(), tags);
    return { items, page, pageCount, itemCount, isTruncated: false, isSearchShortened: false };
  };
}

type Below = { readonly from: number; readonly size: number; readonly offset: number };

function selectBelow(read: Kysely<Schema>, { from, size, offset }: Placeholders<Below>) {
  return selectItems(read)
    .where('items.number', '<=', from)
    .orderBy('items.number', 'desc')
    .limit(size)
    .offset(offset);
}

async function listSorted(
  read: Kysely<Schema>,
  asked: Asked,
  order: Order,
  itemCount: number,
): Promise<ItemPage> {
  const { page, pageCount } = toPage(asked, Math.min(itemCount, MAX_RESULTS));
  const { rows } = await sql<{ number: number }>`select number from items
    order by ${toOrderBy(order)} limit ${asked.size} offset ${(page - 1) * asked.size}`.execute(
    read,
  );
  const items = await readItems(read, rows);
  const isTruncated = itemCount > MAX_RESULTS;
  return { items, page, pageCount, itemCount, isTruncated, isSearchShortened: false };
}

async function listFound(
  { read, slowRead }: Pick<Database, 'read' | 'slowRead'>,
  { page: requestedPage, size }: Asked,
  query: ItemQuery,
  today: string,
): Promise<ItemPage> {
  const limit = limitOf(query);
  const asked = { page: Math.min(requestedPage, limit / size), size };
  const { page } = asked;
  const { words, isShortened } = toSearchWords(query.search);
  const matches = await findMatches(slowRead, words, query, today);
  const { rows } = await selectPage(slowRead, matches, asked, query).execute(slowRead);
  if (rows.length === 0 && page > 1) {
    const source = { read, slowRead };
    const first = await listFound(source, { page: 1, size }, query, today);
    if (first.pageCount === 1) return first;
    return listFound(source, { page: first.pageCount, size }, query, today);
  }
  const count = matches.count ?? rows[0]?.count ?? 0;
  const { pageCount } = toPage(asked, Math.min(count, limit));
  const items = await readItems(read, rows);
  const itemCount = matches.count ?? Math.min(count, limit);
  const isTruncated = count > limit;
  return { items, page, pageCount, itemCount, isTruncated, isSearchShortened: isShortened };
}

function limitOf({ search }: ItemQuery): number {
  return search === '' ? MAX_RESULTS : MAX_FOUND;
}

interface Matches {
  /** One query per filter, for the numbers of its matches. */
  readonly queries: readonly RawBuilder<unknown>[];
  /** The number of matches, if it is known without counting them. */
  readonly count: number | null;
}

/** The numbers of a page, each with the count of all matches, at most one more than the list has. */
function selectPage(
  read: Kysely<Schema>,
  matches: Matches,
  { page, size }: Asked,
  query: ItemQuery,
): RawBuilder<{ readonly number: number; readonly count?: number }> {
  const { search, order } = query;
  const part = sql`limit ${size} offset ${(page - 1) * size}`;
  const [only, ...others] = matches.queries;
  const isKnown = matches.count !== null;
  // On SQLite, reading a page from the index and counting 10,001 matches in any order costs less than finding the
  // newest 10,001. Not so for a search: each of the two queries may take as long as finding all matches.
  if (order === 'newest' && search === '' && others.length === 0 && isSqlite(read)) {
    const count = isKnown
      ? sql``
      : sql`, (select count(*) from (${only} limit ${MAX_RESULTS + 1}) as counted) as count`;
    return sql`select number${count} from (${selectNewest(read, matches)} ${part}) as listed
      order by number desc`;
  }
  const listed = withListed(read, matches, query);
  // PostgreSQL finds no more than it reads. It would sort all for an "order by", although they are in this order.
  if (order === 'newest' && isKnown) return sql`${listed} select number from found ${part}`;
  // "cross join" tells SQLite which table to read first.
  const sorted =
    order === 'newest' ? sql`found` : sql`found cross join items where items.number = found.number`;
  return sql`${listed} select found.number, (select count(*) from found) as count from ${sorted}
    order by ${order === 'newest' ? sql`found.number desc` : toOrderBy(order)} ${part}`;
}

/**
 * The matches are "materialized" to be counted and limited: with only the small limit of a page, PostgreSQL would
 * search item by item for a rare word. So it also plans to find `MAX_RESULTS` of a search, and ends after `MAX_FOUND`.
 */
function withListed(read: Kysely<Schema>, matches: Matches, query: ItemQuery): RawBuilder<unknown> {
  const newest = selectNewest(read, matches);
  const limit = sql`limit ${limitOf(query) + 1}`;
  if (query.search === '' || isSqlite(read))
    return sql`with found as materialized (${newest} ${limit})`;
  return sql`with planned as materialized (${newest} limit ${MAX_RESULTS + 1}),
    found as materialized (select number from planned ${limit})`;
}

/** A "with" clause that finds the items of the list as `found`, and one more if there are more. */
export async function withFound(
  read: Kysely<Schema>,
  query: ItemQuery,
  today: string,
): Promise<RawBuilder<unknown>> {
  const { words } = toSearchWords(query.search);
  return withListed(read, await findMatches(read, words, query, today), query);
}

/** The numbers of the items that match all conditions, newest first. */
export async function selectFound(
  read: Kysely<Schema>,
  query: ItemQuery,
  today: string,
): Promise<RawBuilder<unknown>> {
  const { words } = toSearchWords(query.search);
  return selectNewest(read, await findMatches(read, words, query, today));
}

function selectNewest(read: Kysely<Schema>, { queries }: Matches): RawBuilder<unknown> {
  return sql`${intersect(read, queries)} order by number desc`;
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

async function findMatches(
  read: Kysely<Schema>,
  words: readonly string[],
  { search, tag, location, show }: ItemQuery,
  today: string,
): Promise<Matches> {
  const queries: RawBuilder<unknown>[] = [];
  if (show !== '') queries.push(sql`select number from items where ${whereStatus(show, today)}`);
  const place = location === '' ? null : await matchFacet(read, 'location', location);
  if (place !== null) queries.push(sql`select number from items where ${place.condition}`);
  if (search !== '') queries.push(matchWords(read, words));
  if (tag !== '') {
    // An item can have a tag twice, or in two spellings. An intersection with another condition removes duplicates anyway.
    const once = queries.length === 0 ? sql`distinct` : sql``;
    const { condition } = await matchFacet(read, 'tag', tag);
    queries.push(sql`select ${once} item_number as number from item_tags where ${condition}`);
  }
  return { queries, count: place !== null && queries.length === 1 ? place.items : null };
}

function toPage({ page, size }: Asked, itemCount: number) {
  const pageCount = Math.max(1, Math.ceil(itemCount / size));
  return { page: Math.min(page, pageCount), pageCount };
}
