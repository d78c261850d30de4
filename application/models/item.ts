/**
 * Items: the things a team keeps track of. Each has a number that is its address: counted up in the
 * transaction that creates the item, without a gap, and never used again.
 */
import type { Kysely } from 'kysely';
import { type Awaitable, andThen } from '../database/awaitable.ts';
import type { Database, Writing } from '../database/database.ts';
import type { Placeholders } from '../database/prepared-read.ts';
import { prepareWrite } from '../database/prepared-write.ts';
import type { Schema } from '../database/schema.ts';
import { send } from '../database/send.ts';
import { prepareCounter } from './counter.ts';
import { prepareItemEdition } from './edition.ts';

export interface ItemInput {
  readonly name: string;
  readonly description: string;
  readonly quantity: number;
  readonly location: string;
  readonly tags: readonly string[];
}

export interface Item extends ItemInput {
  readonly number: number;
  readonly createdAt: Date;
  /** The username; null for what was there from the start. */
  readonly createdBy: string | null;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
  /** Counted up by every change. */
  readonly version: number;
}

export interface ItemPage {
  readonly items: readonly Item[];
  /** From 1; the last page when a later one was asked for. */
  readonly page: number;
  readonly pageCount: number;
  readonly itemCount: number;
}

export interface Items {
  /** Names the state of all that follows; see edition.ts. */
  readonly edition: () => Awaitable<string>;
  /** Newest first. */
  readonly list: (page: number) => Promise<ItemPage>;
  readonly find: (number: number) => Awaitable<Item | null>;
  /** The number of the new item, which is there once the transaction is. */
  readonly create: (
    transaction: Writing,
    input: ItemInput,
    author: number | null,
  ) => Promise<number>;
  /** The lowest and highest number in use, or null when there is no item. */
  readonly range: () => Promise<{ readonly lowest: number; readonly highest: number } | null>;
}

export const PAGE_SIZE = 20;

export function createItems(database: Database): Items {
  const { read } = database;
  type ByNumber = Placeholders<{ readonly number: number }>;
  const findRow = database.prepare(
    (source, { number }: ByNumber) => selectItems(source).where('items.number', '=', number),
    ([row]) => row ?? null,
  );
  const findTags = database.prepare(
    (source, { number }: ByNumber) =>
      source
        .selectFrom('item_tags')
        .select('tag')
        .where('item_number', '=', number)
        .orderBy('position'),
    (tags) => tags,
  );
  const takeNumber = prepareCounter(database, 'items');
  const insert = prepareWrite(database, insertItem);
  return {
    edition: prepareItemEdition(database),
    async list(asked) {
      const { count } = await read
        .selectFrom('items')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const pageCount = Math.max(1, Math.ceil(count / PAGE_SIZE));
      const page = Math.min(asked, pageCount);
      const rows = await selectItems(read)
        .orderBy('items.number', 'desc')
        .limit(PAGE_SIZE)
        .offset((page - 1) * PAGE_SIZE)
        .execute();
      return { items: await withTags(read, rows), page, pageCount, itemCount: count };
    },
    find: (number) =>
      andThen(findRow({ number }), (row) =>
        row === null ? null : andThen(findTags({ number }), (tags) => toItem(row, tags)),
      ),
    async create(transaction, input, author) {
      const number = await takeNumber(transaction);
      const { tags, ...columns } = input;
      const at = new Date().toISOString();
      await send(transaction, insert({ number, ...columns, author, at }));
      if (tags.length > 0) await insertTags(transaction, number, tags);
      return number;
    },
    async range() {
      const { lowest, highest } = await read
        .selectFrom('items')
        .select((row) => [row.fn.min('number').as('lowest'), row.fn.max('number').as('highest')])
        .executeTakeFirstOrThrow();
      return lowest === null || highest === null ? null : { lowest, highest };
    },
  };
}

function selectItems(read: Kysely<Schema>) {
  return read
    .selectFrom('items')
    .leftJoin('accounts as creator', 'creator.id', 'items.created_by')
    .leftJoin('accounts as editor', 'editor.id', 'items.updated_by')
    .select(['number', 'name', 'description', 'quantity', 'location', 'version'])
    .select(['items.created_at as createdAt', 'items.updated_at as updatedAt'])
    .select(['creator.username as createdBy', 'editor.username as updatedBy']);
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

async function withTags(read: Kysely<Schema>, rows: readonly ItemRow[]): Promise<Item[]> {
  if (rows.length === 0) return [];
  const tags = await read
    .selectFrom('item_tags')
    .select(['item_number as number', 'tag'])
    .where(
      'item_number',
      'in',
      rows.map((row) => row.number),
    )
    .orderBy('item_number')
    .orderBy('position')
    .execute();
  const byItem = Map.groupBy(tags, (tag) => tag.number);
  return rows.map((row) => toItem(row, byItem.get(row.number) ?? []));
}

function toItem(row: ItemRow, tags: readonly { readonly tag: string }[]): Item {
  return {
    ...row,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    tags: tags.map(({ tag }) => tag),
  };
}

interface NewItem extends Omit<ItemInput, 'tags'> {
  readonly number: number;
  readonly author: number | null;
  readonly at: string;
}

function insertItem(source: Kysely<Schema>, item: Placeholders<NewItem>) {
  return source.insertInto('items').values({
    number: item.number,
    name: item.name,
    description: item.description,
    quantity: item.quantity,
    location: item.location,
    created_at: item.at,
    created_by: item.author,
    updated_at: item.at,
    updated_by: item.author,
    version: 1,
  });
}

function insertTags(transaction: Writing, number: number, tags: readonly string[]): Promise<void> {
  const rows = tags.map((tag, position) => ({ item_number: number, position, tag }));
  return send(transaction, transaction.insertInto('item_tags').values(rows));
}
