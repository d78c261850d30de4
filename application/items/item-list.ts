/**
 * The list of items: all of them or those that a search, a tag and a location leave, in an order, by
 * the page. No page reads more than its own items and what bounds them.
 *
 * The hard case: a page deep in a million items. By number the place of every page is known without
 * a walk, so such a list goes on to its end. Every other one goes on for `REACH` items and says so:
 * a filtered list is that of the newest that match.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { inAll, matchWords } from '../database/engine.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { countItems, createNumberingReader, type Numbering, placeAfter } from './item-gaps.ts';
import { type Order, toOrderBy } from './item-order.ts';
import { type Item, readItems, selectItems, selectTagsBetween, toItems } from './item-rows.ts';
import { createSearchQueue } from './search-queue.ts';
import { toSearchWords } from './search-words.ts';

export const PAGE_SIZE = 20;
/** How many items a list that is not by number alone goes on for. */
export const REACH = 10_000;

/** What is listed; empty text is no condition. */
export interface Selection {
  /** Every word of it begins a word of the item. */
  readonly search: string;
  readonly tag: string;
  readonly location: string;
  readonly order: Order;
}

export const EVERYTHING: Selection = { search: '', tag: '', location: '', order: 'newest' };

export interface ItemPage {
  readonly items: readonly Item[];
  /** From 1; the last page when a later one was asked for. */
  readonly page: number;
  readonly pageCount: number;
  /** Of those that match, no more than REACH are counted. */
  readonly itemCount: number;
  /** Whether there are more items than the pages reach. */
  readonly isCut: boolean;
  /** Whether words of the search were left out; see search-words.ts. */
  readonly isSearchShortened: boolean;
}

export function isFiltered({ search, tag, location }: Selection): boolean {
  return search !== '' || tag !== '' || location !== '';
}

/** Rejects with SearchQueueFull when too many ask for filtered lists. */
export type ListItems = (asked: number, selection: Selection) => Promise<ItemPage>;

export function createItemList(
  database: Pick<Database, 'read' | 'slowRead' | 'statement'>,
): ListItems {
  const { read } = database;
  const queueSearch = createSearchQueue();
  const readNumbering = createNumberingReader(database);
  const listByNumber = createListByNumber(database);
  return async (asked, selection) => {
    if (isFiltered(selection)) return queueSearch(() => listFound(database, asked, selection));
    const { order } = selection;
    const numbering = await readNumbering();
    return order === 'newest' || order === 'oldest'
      ? listByNumber(asked, order, numbering)
      : listSorted(read, asked, order, countItems(numbering));
  };
}

/** The list that most people ask for. */
function createListByNumber({ statement }: Pick<Database, 'statement'>) {
  const findRows = statement(selectDown);
  const findTags = statement(selectTagsBetween);
  return async (
    asked: number,
    order: 'newest' | 'oldest',
    numbering: Numbering,
  ): Promise<ItemPage> => {
    const itemCount = countItems(numbering);
    const { page, pageCount } = toPage(asked, itemCount);
    const before = (page - 1) * PAGE_SIZE;
    const size = Math.min(PAGE_SIZE, itemCount - before);
    // Oldest first, the page is the same from the other end.
    const skipped = order === 'newest' ? before : itemCount - before - size;
    const { from, offset } = placeAfter(numbering, skipped);
    const rows = await findRows.all({ from, size, offset });
    const range = { first: rows.at(-1)?.number ?? 0, last: rows[0]?.number ?? 0 };
    const tags = await findTags.all(range);
    const items = toItems(order === 'newest' ? rows : rows.toReversed(), tags);
    return { items, page, pageCount, itemCount, isCut: false, isSearchShortened: false };
  };
}

type Down = { readonly from: number; readonly size: number; readonly offset: number };

function selectDown(read: Kysely<Schema>, { from, size, offset }: Placeholders<Down>) {
  return selectItems(read)
    .where('items.number', '<=', from)
    .orderBy('items.number', 'desc')
    .limit(size)
    .offset(offset);
}

async function listSorted(
  read: Kysely<Schema>,
  asked: number,
  order: Order,
  itemCount: number,
): Promise<ItemPage> {
  const { page, pageCount } = toPage(asked, Math.min(itemCount, REACH));
  const { rows } = await sql<{ number: number }>`select number from items
    order by ${toOrderBy(order)} limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(read);
  const items = await readItems(read, rows);
  const isCut = itemCount > REACH;
  return { items, page, pageCount, itemCount, isCut, isSearchShortened: false };
}

async function listFound(
  { read, slowRead }: Pick<Database, 'read' | 'slowRead'>,
  asked: number,
  selection: Selection,
): Promise<ItemPage> {
  const page = Math.min(asked, REACH / PAGE_SIZE);
  const { order } = selection;
  const { words, isShortened } = toSearchWords(selection.search);
  // "cross join" tells SQLite which table comes first. What is found is "materialized", to be counted
  // and cut: a page's small limit alone would send PostgreSQL looking for a rare word item by item.
  const sorted =
    order === 'newest' ? sql`found` : sql`found cross join items where items.number = found.number`;
  const { rows } = await sql<{ number: number; count: number }>`
    with found as materialized (${selectFound(read, words, selection)} limit ${REACH + 1})
    select found.number, (select count(*) from found) as count from ${sorted}
    order by ${order === 'newest' ? sql`found.number desc` : toOrderBy(order)}
    limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(slowRead);
  if (rows.length === 0 && page > 1) {
    const first = await listFound({ read, slowRead }, 1, selection);
    return first.pageCount === 1
      ? first
      : listFound({ read, slowRead }, first.pageCount, selection);
  }
  const count = rows[0]?.count ?? 0;
  const itemCount = Math.min(count, REACH);
  const { pageCount } = toPage(page, itemCount);
  const items = await readItems(read, rows);
  const isCut = count > REACH;
  return { items, page, pageCount, itemCount, isCut, isSearchShortened: isShortened };
}

/** The numbers of the items that meet every condition, newest first. */
function selectFound(
  read: Kysely<Schema>,
  words: readonly string[],
  { search, tag, location }: Selection,
) {
  const conditions: RawBuilder<unknown>[] = [];
  if (location !== '') conditions.push(sql`select number from items where location = ${location}`);
  if (search !== '') conditions.push(matchWords(read, 'item_words', words));
  if (tag !== '') {
    // An item may have a tag twice; what must be in something else too is not doubled by that.
    const once = conditions.length === 0 ? sql`distinct` : sql``;
    conditions.push(sql`select ${once} item_number as number from item_tags where tag = ${tag}`);
  }
  return sql`${inAll(read, 'items', conditions)} order by number desc`;
}

function toPage(asked: number, itemCount: number) {
  const pageCount = Math.max(1, Math.ceil(itemCount / PAGE_SIZE));
  return { page: Math.min(asked, pageCount), pageCount };
}
