/**
 * Pages of the list of items. Without a filter and in the order of item numbers, the position of a page is known
 * without counting rows, so the list has no limit. With a filter or in another order, the list ends after
 * `MAX_RESULTS` items, or `MAX_FOUND` of a search, and says so; a filtered list contains the newest matches.
 * item-matches.ts finds them.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { createDefinitions, type DefinitionsReader } from '../own-fields/definitions.ts';
import { toDay } from '../site/format.ts';
import { suggestSearch } from './did-you-mean.ts';
import {
  countItems,
  createNumberingReader,
  type Numbering,
  type NumberingReader,
} from './item-gaps.ts';
import {
  findFilters,
  fromFound,
  limitOf,
  MAX_RESULTS,
  type Matches,
  orderFound,
  searchIn,
  selectNewest,
  withListed,
} from './item-matches.ts';
import { type Order, toOrderBy } from './item-order.ts';
import { type ItemQuery, isFiltered } from './item-query.ts';
import { type Item, readItems, selectItems, selectTagsBetween, toItems } from './item-rows.ts';
import { matchNames, matchRanks } from './item-search.ts';
import { findInside, type Term } from './item-vocabulary.ts';
import { type KnownQuery, knowOwn, type OwnSort, selectRangePage } from './match-own.ts';
import { selectSorted } from './own-order.ts';
import { createSearchQueue } from './search-queue.ts';
import { toSearchWords } from './search-words.ts';

export const PAGE_SIZE = 20;
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
  /** Whether a word of the search is inside so many words that not all were looked up. */
  readonly isInsideCut?: boolean;
  /** A similar search that finds something, if this one finds nothing. */
  readonly suggestion?: string | undefined;
}

/** Rejects with QueueFull if too many filtered lists are requested. */
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
  definitions: Pick<DefinitionsReader, 'read' | 'known'> = createDefinitions(database),
): ListItems {
  const { read } = database;
  const reader = createNumberingReader(database);
  const listByNumber = createListByNumber(database, reader);
  return async (requestedPage, asking, size = PAGE_SIZE) => {
    const asked = { page: requestedPage, size };
    const known = knowOwn(definitions, asking);
    // Without a promise for the list that people request most.
    const query = known instanceof Promise ? await known : known;
    if (isFiltered(query))
      return queueSearch(() => listFound(database, asked, query, toDay(now())));
    const { order, sorted } = query;
    const numbering = await reader.numbering();
    if (sorted !== null)
      return queueSearch(() =>
        listByOwn(database, asked, { order, sorted }, countItems(numbering)),
      );
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

async function listByOwn(
  { read, slowRead }: Pick<Database, 'read' | 'slowRead'>,
  asked: Asked,
  { order, sorted }: Pick<KnownQuery, 'order'> & { readonly sorted: OwnSort },
  itemCount: number,
): Promise<ItemPage> {
  const listed = Math.min(itemCount, MAX_RESULTS);
  const { page, pageCount } = toPage(asked, listed);
  const part = { limit: asked.size, offset: (page - 1) * asked.size };
  const rows = await selectSorted(slowRead, sorted, order, part, MAX_RESULTS);
  const isTruncated = itemCount > MAX_RESULTS;
  return {
    ...{ items: await readItems(read, rows), page, pageCount, itemCount },
    ...{ isTruncated, isSearchShortened: false },
  };
}

async function listFound(
  { read, slowRead }: Pick<Database, 'read' | 'slowRead'>,
  { page: requestedPage, size }: Asked,
  query: KnownQuery,
  today: string,
): Promise<ItemPage> {
  const limit = limitOf(query);
  const asked = { page: Math.min(requestedPage, limit / size), size };
  const { page } = asked;
  const { words, isShortened } = toSearchWords(query.search);
  const filters = await findFilters(slowRead, query, today, limit);
  let matches = query.search === '' ? filters : searchIn(filters, matchNames(slowRead, words));
  // PostgreSQL finds the names in the query of all ranks, which then leaves out the worse ones by itself.
  const isOneQuery = words.length > 0 && !isSqlite(slowRead);
  let rows = isOneQuery ? [] : await readPage(matches);
  let terms: readonly Term[] = [];
  // With more items than the list has, those with the words elsewhere would not be in it.
  if (words.length > 0 && (rows[0]?.count ?? 0) <= limit) {
    terms = await findInside(slowRead, words);
    matches = searchIn(filters, matchRanks(slowRead, terms, query.seesBorrowers, query.searched));
    rows = await readPage(matches);
  }
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
  const isInsideCut = terms.some(({ isCut }) => isCut);
  const suggestion =
    count > 0 ? undefined : await suggestSearch(slowRead, query.search, terms, findFirst);
  const found = { items, page, pageCount, itemCount, isTruncated, isSearchShortened: isShortened };
  return { ...found, isInsideCut, suggestion };

  async function readPage(found: Matches, part: Asked = asked) {
    if (found.ways.length === 0) return [];
    return (await selectPage(slowRead, found, part, query).execute(slowRead)).rows;
  }

  async function findFirst(similar: readonly Term[]): Promise<Item | undefined> {
    const others = searchIn(
      filters,
      matchRanks(slowRead, similar, query.seesBorrowers, query.searched),
    );
    return (await readItems(read, await readPage(others, { page: 1, size: 1 })))[0];
  }
}

/** The numbers of a page, each with the count of all matches, at most one more than the list has. */
function selectPage(
  read: Kysely<Schema>,
  matches: Matches,
  { page, size }: Asked,
  query: KnownQuery,
): RawBuilder<{ readonly number: number; readonly count?: number }> {
  const { search, order } = query;
  const [{ queries, checks }] = matches.ways as [Matches['ways'][number]];
  const offset = (page - 1) * size;
  if (matches.range !== null)
    return selectRangePage(matches.range, { limit: size, offset }, limitOf(query), order);
  const part = sql`limit ${size} offset ${offset}`;
  const isKnown = matches.count !== null;
  // On SQLite, reading a page from the index and counting 10,001 matches in any order costs less than finding the
  // newest 10,001. Not so for a search: each of the two queries may take as long as finding all matches.
  const isOne = queries.length === 1 && checks.length === 0;
  if (order === 'newest' && search === '' && isOne && isSqlite(read)) {
    const count = isKnown
      ? sql``
      : sql`, (select count(*) from (${queries[0]} limit ${limitOf(query) + 1}) as counted) as count`;
    return sql`select number${count} from (${selectNewest(read, matches)} ${part}) as listed
      order by number desc`;
  }
  const listed = withListed(read, matches, query);
  // PostgreSQL finds no more than it reads. It would sort all for an "order by", although they are in this order.
  if (order === 'newest' && isKnown) return sql`${listed} select number from found ${part}`;
  return sql`${listed} select found.number, (select count(*) from found) as count
    from ${fromFound(query)}
    order by ${orderFound(query)} ${part}`;
}

function toPage({ page, size }: Asked, itemCount: number) {
  const pageCount = Math.max(1, Math.ceil(itemCount / size));
  return { page: Math.min(page, pageCount), pageCount };
}
