/**
 * Changes many items in one transaction, as one batch. Items that cannot be changed are left as they are, reported,
 * and do not stop the others. All items are locked before the first one is changed.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { removeItems } from '../delete/delete-items.ts';
import { type BatchOperation, createBatch } from '../events/batches.ts';
import { changeBy } from '../events/change-item.ts';
import { compareStates, type ItemState, recordedFields } from '../events/item-changes.ts';
import { type ItemEvent, recordEvents } from '../events/item-events.ts';
import { isTooManyLent } from '../loan.ts';
import { piecesOf } from '../pieces.ts';
import { type ItemChange, lockItems, type StoredItem, updateItems } from '../stored-item.ts';

export interface ChangedMany {
  /** Null when nothing was changed. */
  readonly batch: number | null;
  readonly changed: number;
  /** Items that already are as they should become. */
  readonly same: readonly StoredItem[];
  /** Items for which the change is not possible. */
  readonly refused: readonly StoredItem[];
  /** Numbers of items that do not exist any more. */
  readonly missing: readonly number[];
}

/** A batch of its own, or one that has begun. */
export type ManyOptions = { readonly author: number } & (
  | { readonly operation: BatchOperation; readonly batch?: never }
  | { readonly batch: number; readonly operation?: never }
);

/** `change` returns the new state of an item, or null if the change is not possible. None may lend too many. */
export async function changeMany(
  transaction: KyselyTransaction,
  numbers: readonly number[],
  change: (item: StoredItem) => ItemState | null,
  { author, operation, batch: begun }: ManyOptions,
): Promise<ChangedMany> {
  const { items, missing } = await lockAll(transaction, numbers);
  const same: StoredItem[] = [];
  const refused: StoredItem[] = [];
  const changes: ItemChange[] = [];
  for (const before of items) {
    const state = change(before);
    if (state === null || isTooManyLent(before, state)) refused.push(before);
    else if (recordedFields(compareStates(before, state)).length === 0) same.push(before);
    else changes.push({ before, after: { ...before, ...state, version: before.version + 1 } });
  }
  if (changes.length === 0) return { batch: begun ?? null, changed: 0, same, refused, missing };
  const batch = begun ?? (await createBatch(transaction, author, operation));
  const done = operation?.kind;
  const kind: ItemEvent['kind'] = done === 'lent' || done === 'returned' ? done : 'changed';
  for (const piece of piecesOf(changes)) {
    const by = changeBy(author, batch);
    await updateItems(transaction, piece, by);
    const events = piece.map(({ before, after }) => ({
      ...{ item: after, kind, changes: compareStates(before, after) },
    }));
    await recordEvents(transaction, by, events);
    await nextTurn();
  }
  return { batch, changed: changes.length, same, refused, missing };
}

/** Deletes the items. Each can be restored separately, or all of them by undoing the batch. */
export async function removeMany(
  transaction: KyselyTransaction,
  numbers: readonly number[],
  author: number,
): Promise<ChangedMany> {
  const { items, missing } = await lockAll(transaction, numbers);
  const none = { same: [], refused: [], missing };
  if (items.length === 0) return { batch: null, changed: 0, ...none };
  const batch = await createBatch(transaction, author, { kind: 'deleted' });
  for (const piece of piecesOf(items)) {
    const removed = piece.map((item) => ({ item }));
    await removeItems(transaction, removed, author, batch);
    await nextTurn();
  }
  return { batch, changed: items.length, ...none };
}

async function lockAll(transaction: KyselyTransaction, numbers: readonly number[]) {
  const found = await lockItems(transaction, numbers);
  const missing = new Set(numbers.filter((number) => !found.has(number)));
  return {
    items: [...found.values()],
    missing: [...missing].sort((one, other) => one - other),
  };
}
