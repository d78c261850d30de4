/** Converts rows of the database to items with tags and usernames. */
import type { Kysely } from 'kysely';
import { shownName } from '../accounts/display-name.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { EMPTY_ITEM, ITEM_COLUMNS, type ItemColumn, type ItemInput } from './item-fields.ts';
import { type Loan, loansText, parseLoans } from './loan.ts';

/** A new item: a field that is left out is that of `EMPTY_ITEM`. */
export type NewItem = Pick<ItemInput, 'name'> & Partial<ItemInput>;

/** `own` is filled by `find` alone: a list reads the values that it shows. */
export interface Item extends ItemInput {
  readonly number: number;
  readonly createdAt: Date;
  /** The name that pages show; null for sample items. */
  readonly createdBy: string | null;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
  /** The oldest first. */
  readonly loans: readonly Loan[];
  /** Incremented by every change. */
  readonly version: number;
  /** What a list shows of its files: see item-files.ts. */
  readonly picture: string | null;
}

export function selectItems(read: Kysely<Schema>) {
  return read
    .selectFrom('items')
    .leftJoin('accounts as creator', 'creator.id', 'items.created_by')
    .leftJoin('accounts as editor', 'editor.id', 'items.updated_by')
    .select(['number', ...ITEM_COLUMNS, 'items.kind', 'items.version', 'items.picture'])
    .select(loansText(read).as('loans'))
    .select(['items.created_at as createdAt', 'items.updated_at as updatedAt'])
    .select([shownName('creator').as('createdBy'), shownName('editor').as('updatedBy')]);
}

/** The items with these numbers, in the same order. */
export async function readItems(
  read: Kysely<Schema>,
  page: readonly { readonly number: number }[],
): Promise<Item[]> {
  if (page.length === 0) return [];
  const numbers = page.map(({ number }) => number);
  const rows = await selectItems(read).where('items.number', 'in', numbers).execute();
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return withTags(
    read,
    numbers.flatMap((number) => byNumber.get(number) ?? []),
  );
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

export async function withTags(read: Kysely<Schema>, rows: readonly ItemRow[]): Promise<Item[]> {
  if (rows.length === 0) return [];
  return toItems(rows, await readTags(read, rows));
}

/** `items` must not be empty. */
export function readTags(
  read: Kysely<Schema>,
  items: readonly { readonly number: number }[],
): Promise<{ readonly number: number; readonly tag: string }[]> {
  const numbers = items.map(({ number }) => number);
  return selectTags(read).where('item_number', 'in', numbers).execute();
}

export function selectTagsBetween(
  read: Kysely<Schema>,
  { first, last }: Placeholders<{ readonly first: number; readonly last: number }>,
) {
  return selectTags(read).where('item_number', '>=', first).where('item_number', '<=', last);
}

function selectTags(read: Kysely<Schema>) {
  return read
    .selectFrom('item_tags')
    .select(['item_number as number', 'tag'])
    .orderBy('item_number')
    .orderBy('position');
}

export function toItems(
  rows: readonly ItemRow[],
  tags: readonly { readonly number: number; readonly tag: string }[],
): Item[] {
  const byItem = Map.groupBy(tags, ({ number }) => number);
  return rows.map((row) => toItem(row, byItem.get(row.number) ?? []));
}

const EPOCH = new Date(0);

/** Every item is a copy of this one, with all its properties from the beginning. */
const BLANK: Item = {
  ...EMPTY_ITEM,
  ...{ number: 0, version: 1, loans: [], picture: null, createdBy: null, updatedBy: null },
  ...{ createdAt: EPOCH, updatedAt: EPOCH },
};

/** Fills a copy of a blank item: a copy of the row without some columns would cost twice as much. */
export function toItem(row: ItemRow, tags: readonly { readonly tag: string }[]): Item {
  const item = {
    ...BLANK,
    number: row.number,
    version: row.version,
    kind: row.kind,
    picture: row.picture,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    loans: parseLoans(row.loans),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    tags: tags.map(({ tag }) => tag),
  };
  fillColumns(item, row);
  return item;
}

function fillColumns(
  item: { [Name in ItemColumn]: unknown },
  row: { readonly [Name in ItemColumn]: unknown },
): void {
  ITEM_COLUMNS.forEach((name) => {
    item[name] = row[name];
  });
}
