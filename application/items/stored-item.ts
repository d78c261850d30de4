/**
 * Reads and writes items for changes in a transaction, and updates the search index. An item is locked before it
 * is changed, so the second of two concurrent changes sees the first.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import { insertValues, parseValues, valuesText, writeValues } from '../own-fields/own-values.ts';
import { toSortKey } from '../site/fold-text.ts';
import { distinctNames, writeFacetKeys } from './facets.ts';
import { columnsOf, EMPTY_ITEM, ITEM_COLUMNS, type ItemInput, mapColumns } from './item-fields.ts';
import { refreshPictures } from './item-files.ts';
import { BLOCK } from './item-gaps.ts';
import { addWords, replaceWords } from './item-search.ts';
import {
  insertLoans,
  type Loan,
  loansText,
  parseLoans,
  toLoanColumns,
  writeLoans,
} from './loan.ts';
import { piecesOf } from './pieces.ts';
import { makePlaces } from './place.ts';

/** Everything that is stored of an item, except when and by whom it was last changed. */
export interface StoredItem extends ItemInput {
  readonly number: number;
  readonly version: number;
  readonly createdAt: string;
  readonly createdBy: number | null;
  /** The oldest first. */
  readonly loans: readonly Loan[];
}

/**
 * The item in the event of its deletion. An event of an older release lacks the fields that came later, and has one
 * loan or null, of the whole item.
 */
export function parseSnapshot(text: string): StoredItem {
  const { loan, loans, ...item } = { ...EMPTY_ITEM, ...JSON.parse(text) };
  const whole = loan ? [{ ...loan, quantity: Math.max(1, item.quantity) }] : [];
  return { ...item, loans: loans ?? whole };
}

/** Who changes an item, and when. */
export interface Authorship {
  readonly author: number;
  readonly at: string;
  /** The batch that the change belongs to. */
  readonly batch?: number | null;
}

/** Null if there is no such item. Other changes of the item wait until the transaction ends. */
export async function lockItem(
  transaction: KyselyTransaction,
  number: number,
): Promise<StoredItem | null> {
  return (await lockItems(transaction, [number])).get(number) ?? null;
}

/**
 * Locks several items, and resolves to those that exist, by number in ascending order. A transaction that changes
 * several items must lock all of them before it changes the first. The first change makes all other changes wait; if
 * the transaction then waited for an item that one of them has locked, both would deadlock.
 */
export async function lockItems(
  transaction: KyselyTransaction,
  numbers: readonly number[],
): Promise<Map<number, StoredItem>> {
  // In one order, because otherwise two transactions could each wait for an item that the other has locked.
  const sorted = [...new Set(numbers)].sort((one, other) => one - other);
  const found = new Map<number, StoredItem>();
  for (const sought of piecesOf(sorted)) {
    if (found.size > 0) await nextTurn();
    const piece = await lockRows(transaction, 'items', sought);
    if (piece.length === 0) continue;
    const rows = await selectStored(transaction)
      .where('number', 'in', piece)
      .orderBy('number')
      .execute();
    const allTags = await transaction
      .selectFrom('item_tags')
      .select(['item_number', 'tag'])
      .where('item_number', 'in', piece)
      .orderBy('item_number')
      .orderBy('position')
      .execute();
    const byItem = Map.groupBy(allTags, (one) => one.item_number);
    for (const row of rows) {
      const own = byItem.get(row.number) ?? [];
      const tags = own.map(({ tag }) => tag);
      const parsed = { loans: parseLoans(row.loans), own: parseValues(row.own) };
      found.set(row.number, { ...row, ...parsed, tags });
    }
  }
  return found;
}

function selectStored(transaction: KyselyTransaction) {
  return transaction
    .selectFrom('items')
    .select(['number', ...ITEM_COLUMNS, 'kind', 'version'])
    .select(['created_at as createdAt', 'created_by as createdBy'])
    .select([loansText(transaction).as('loans'), valuesText(transaction).as('own')]);
}

export interface ItemChange {
  readonly before: StoredItem;
  /** With its new version. */
  readonly after: StoredItem;
}

/** Updates up to a few hundred items, which the caller has locked, to the state, loans and version of `after`. */
export async function updateItems(
  transaction: KyselyTransaction,
  changes: readonly ItemChange[],
  { author, at }: Authorship,
): Promise<void> {
  if (changes.length === 0) return;
  const relent = changes
    .filter(({ before, after }) => !isDeepStrictEqual(before.loans, after.loans))
    .map(({ after }) => after);
  const loanColumns = relent.length > 0 ? (['lent', 'due'] as const) : [];
  await transaction
    .insertInto('items')
    .values(changes.map(({ after }) => toRow(after, { author, at })))
    .onConflict((conflict) =>
      conflict.column('number').doUpdateSet((row) => ({
        ...mapColumns((name) => sql<never>`${sql.ref(`excluded.${name}`)}`),
        ...Object.fromEntries(loanColumns.map((name) => [name, row.ref(`excluded.${name}`)])),
        kind: row.ref('excluded.kind'),
        name_key: row.ref('excluded.name_key'),
        version: row.ref('excluded.version'),
        updated_at: row.ref('excluded.updated_at'),
        updated_by: row.ref('excluded.updated_by'),
      })),
    )
    .execute();
  if (relent.length > 0) await writeLoans(transaction, relent);
  const retagged = changes.filter(
    ({ before, after }) => !isDeepStrictEqual(before.tags, after.tags),
  );
  if (retagged.length > 0) {
    const numbers = retagged.map(({ after }) => after.number);
    await transaction.deleteFrom('item_tags').where('item_number', 'in', numbers).execute();
    const tags = retagged.flatMap(({ after }) => toTagRows(after.number, after.tags));
    if (tags.length > 0) await transaction.insertInto('item_tags').values(tags).execute();
  }
  const refilled = changes.filter(({ before, after }) => !isDeepStrictEqual(before.own, after.own));
  await writeValues(
    transaction,
    refilled.map(({ after }) => after),
  );
  const states = changes.map(({ after }) => after);
  await writeKeysOf(transaction, states);
  const moved = changes.filter(({ before, after }) => before.location !== after.location);
  await makePlaces(
    transaction,
    moved.map(({ after }) => after.location),
  );
  await replaceWords(transaction, changes);
}

async function writeKeysOf(
  transaction: KyselyTransaction,
  items: readonly StoredItem[],
): Promise<void> {
  const locations = new Set(items.map(({ location }) => location));
  const tags = new Set(items.flatMap((item) => item.tags));
  await writeFacetKeys(transaction, 'location', [...locations]);
  await writeFacetKeys(transaction, 'tag', [...tags]);
}

/** Changes the loans of an item that the caller has locked. Resolves to the changed item. */
export async function updateLoans(
  transaction: KyselyTransaction,
  before: StoredItem,
  loans: readonly Loan[],
  { author, at }: Authorship,
): Promise<StoredItem> {
  const version = before.version + 1;
  await transaction
    .updateTable('items')
    .set({ ...toLoanColumns(loans), version, updated_at: at, updated_by: author })
    .where('number', '=', before.number)
    .execute();
  const after = { ...before, loans, version };
  await writeLoans(transaction, [after]);
  await replaceWords(transaction, [{ before, after }]);
  return after;
}

/** Triggers delete the words of the items, and count the gaps in the numbers. */
export async function deleteItems(
  transaction: KyselyTransaction,
  numbers: readonly number[],
): Promise<void> {
  // First, as in a restore: the trigger that counts the gap runs before the one that locks the revision.
  await lockRows(transaction, 'revisions', ['items']);
  await transaction.deleteFrom('items').where('number', 'in', numbers).execute();
}

/** Brings deleted items back under their numbers. */
export async function restoreItems(
  transaction: KyselyTransaction,
  items: readonly StoredItem[],
  change: Authorship,
): Promise<void> {
  const rows = items.map((item) => toRow(item, change));
  await transaction.insertInto('items').values(rows).execute();
  const tags = items.flatMap((item) => toTagRows(item.number, item.tags));
  if (tags.length > 0) await transaction.insertInto('item_tags').values(tags).execute();
  await insertLoans(transaction, items);
  await insertValues(transaction, items);
  await writeKeysOf(transaction, items);
  await makePlaces(
    transaction,
    items.map(({ location }) => location),
  );
  const blocks = Map.groupBy(items, ({ number }) => Math.floor((number - 1) / BLOCK));
  for (const [block, { length }] of blocks)
    await transaction
      .updateTable('item_gaps')
      .set((row) => ({ gone: row('gone', '-', length) }))
      .where('block', '=', block)
      .execute();
  await transaction
    .deleteFrom('item_gaps')
    .where('block', 'in', [...blocks.keys()])
    .where('gone', '=', 0)
    .execute();
  await addWords(transaction, items);
  const numbers = items.map(({ number }) => number);
  for (const piece of piecesOf(numbers)) await refreshPictures(transaction, piece);
}

function toRow(item: StoredItem, { author, at }: Authorship) {
  return {
    number: item.number,
    ...columnsOf(item),
    kind: item.kind,
    name_key: toSortKey(item.name),
    version: item.version,
    ...toLoanColumns(item.loans),
    created_at: item.createdAt,
    created_by: item.createdBy,
    updated_at: at,
    updated_by: author,
  };
}

function toTagRows(number: number, tags: readonly string[]) {
  return distinctNames(tags).map((tag, position) => ({ item_number: number, position, tag }));
}
