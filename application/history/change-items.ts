/**
 * Every change of an item that exists: edited, counted, deleted, restored, undone. Each belongs to the
 * transaction of its form and writes one event. A change that cannot be made is a `ChangeRefused`.
 */
import { sql } from 'kysely';
import type { Writing } from '../database/database.ts';
import type { ItemInput } from '../items/item-rows.ts';
import {
  type Change,
  deleteItem,
  lockItem,
  parseSnapshot,
  restoreItem,
  type StoredItem,
  updateItem,
  updateLoan,
} from '../items/stored-item.ts';
import { ChangeRefused, type Refusal } from './change-refused.ts';
import {
  changedFields,
  compareItems,
  type ItemField,
  type ItemState,
  undoChanges,
  withFieldsOf,
} from './item-changes.ts';
import { type ItemEvent, recordEvent, selectEvents, toEvent } from './item-events.ts';

export const MAX_QUANTITY = 1_000_000;

export interface Edit {
  readonly input: ItemInput;
  /** The version of the item that the form shows. */
  readonly version: number;
  /** Fields that stay as they are, whatever the input says. */
  readonly keep?: readonly ItemField[];
}

/** Resolves to whether anything was changed. */
export async function editItem(
  transaction: Writing,
  number: number,
  { input, version, keep = [] }: Edit,
  author: number,
  batch: number | null = null,
): Promise<boolean> {
  const before = await requireItem(transaction, number);
  const after = withFieldsOf(input, before, keep);
  const changes = compareItems(before, after);
  if (changedFields(changes).length === 0) return false;
  if (await wasChangedSince(transaction, before, version)) refuse({ kind: 'conflict' });
  const change = changeBy(author, batch);
  const changed = await updateItem(transaction, before, after, change);
  const item = { number, name: after.name, version: changed };
  await recordEvent(transaction, item, change, { kind: 'changed', changes });
  return true;
}

/** Whether a field was changed: a deletion and a restore alone leave what the form shows. */
async function wasChangedSince(
  transaction: Writing,
  item: StoredItem,
  version: number,
): Promise<boolean> {
  if (version === item.version) return false;
  if (version > item.version) return true;
  const later = await transaction
    .selectFrom('item_events')
    .select('kind')
    .where('item_number', '=', item.number)
    .where('version', '>', version)
    .execute();
  return later.length === 0 || later.some(({ kind }) => kind === 'changed' || kind === 'counted');
}

export interface Count {
  /** Negative to take. */
  readonly by: number;
  readonly reason: string;
}

/** Changes at once add up. Resolves to the new quantity. */
export async function countItem(
  transaction: Writing,
  number: number,
  { by, reason }: Count,
  author: number,
): Promise<number> {
  const change = changeBy(author);
  const item = await transaction
    .updateTable('items')
    .set((row) => ({
      quantity: row('quantity', '+', by),
      version: row('version', '+', 1),
      updated_at: change.at,
      updated_by: author,
    }))
    .where('number', '=', number)
    .where(sql<boolean>`quantity + ${by} between 0 and ${MAX_QUANTITY}`)
    .returning(['number', 'name', 'quantity', 'version'])
    .executeTakeFirst();
  if (item === undefined) {
    const { quantity } = await requireItem(transaction, number);
    refuse({ kind: 'quantity', quantity });
  }
  const changes = { quantity: [item.quantity - by, item.quantity] } as const;
  await recordEvent(transaction, item, change, { kind: 'counted', changes, reason });
  return item.quantity;
}

/** The batch that a change belongs to, and the event that it undoes. */
export interface PartOf {
  readonly batch?: number | null;
  readonly undoes?: number | null;
}

/** Records that a batch has added an item, so that undoing the batch deletes it. */
export async function recordAdded(
  transaction: Writing,
  { number, name }: { readonly number: number; readonly name: string },
  author: number,
  batch: number,
): Promise<void> {
  const item = { number, name, version: 1 };
  await recordEvent(transaction, item, changeBy(author, batch), { kind: 'added' });
}

/** Resolves to the item that was deleted. Its event holds it until it is restored. */
export async function removeItem(
  transaction: Writing,
  number: number,
  author: number,
  { batch = null, undoes = null }: PartOf = {},
): Promise<StoredItem> {
  const snapshot = await requireItem(transaction, number);
  await deleteItem(transaction, number);
  const item = { ...snapshot, version: snapshot.version + 1 };
  const change = changeBy(author, batch);
  await recordEvent(transaction, item, change, { kind: 'deleted', undoes, snapshot });
  return snapshot;
}

/** Undoes the last deletion. Resolves to the item, with its new version. */
export async function bringBackItem(
  transaction: Writing,
  number: number,
  author: number,
  batch: number | null = null,
): Promise<StoredItem> {
  const deletion = await transaction
    .selectFrom('item_events')
    .select(['id', 'snapshot'])
    .where('item_number', '=', number)
    .where('snapshot', 'is not', null)
    .executeTakeFirst();
  if (deletion === undefined) {
    const exists = (await lockItem(transaction, number)) !== null;
    refuse({ kind: exists ? 'already undone' : 'gone' });
  }
  // Of two restores at once, one waits here for the other, and then changes nothing.
  const taken = await transaction
    .updateTable('item_events')
    .set({ snapshot: null })
    .where('id', '=', deletion.id)
    .where('snapshot', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (taken === undefined) refuse({ kind: 'already undone' });
  const snapshot = parseSnapshot(deletion.snapshot ?? '');
  const item = { ...snapshot, version: snapshot.version + 2 };
  const change = changeBy(author, batch);
  await restoreItem(transaction, item, change);
  await recordEvent(transaction, item, change, { kind: 'restored', undoes: deletion.id });
  return item;
}

/** Undoes one change, whatever came after it. Resolves to the event that it has undone. */
export async function undoEvent(
  transaction: Writing,
  number: number,
  id: number,
  author: number,
  batch: number | null = null,
): Promise<ItemEvent> {
  const before = await lockItem(transaction, number);
  const row = await selectEvents(transaction)
    .where('item_events.id', '=', id)
    .where('item_events.item_number', '=', number)
    .executeTakeFirst();
  if (row === undefined) refuse({ kind: 'gone' });
  const event = toEvent(row);
  if (event.undoneBy !== null) refuse({ kind: 'already undone' });
  if (event.kind === 'deleted') {
    if (event.deleted === null) refuse({ kind: 'gone' });
    await bringBackItem(transaction, number, author, batch);
    return event;
  }
  if (before === null) refuse({ kind: 'missing' });
  if (event.kind === 'restored' || event.kind === 'added') {
    if (event.kind === 'added' && before.version > event.version) refuse({ kind: 'conflict' });
    await removeItem(transaction, number, author, { undoes: id, batch });
    return event;
  }
  const undone = undoOf(before, event);
  if ('refusal' in undone) refuse(undone.refusal);
  const { after } = undone;
  const change = changeBy(author, batch);
  const { kind } = event;
  if (event.changes.loan !== undefined) {
    const item = await updateLoan(transaction, before, after.loan, change);
    const changes = { loan: [before.loan, after.loan] } as const;
    await recordEvent(transaction, item, change, { kind, changes, undoes: id });
    return event;
  }
  const version = await updateItem(transaction, before, after, change);
  const changes = compareItems(before, after);
  const item = { number, name: after.name, version };
  await recordEvent(transaction, item, change, { kind, changes, undoes: id });
  return event;
}

/** The item after its fields were changed back, or why they cannot be. */
export function undoOf(
  before: ItemState,
  { changes }: Pick<ItemEvent, 'changes'>,
): { readonly after: ItemState } | { readonly refusal: Refusal } {
  const { item: after, changedSince } = undoChanges(before, changes);
  if (changedSince.length > 0) return { refusal: { kind: 'changed since', fields: changedSince } };
  if (after.quantity < 0 || after.quantity > MAX_QUANTITY)
    return { refusal: { kind: 'quantity', quantity: before.quantity } };
  return { after };
}

/** Why the event cannot be undone as things are; null if it can. `item` is null if there is none. */
export function refusalOf(
  item: (ItemState & { readonly version: number }) | null,
  event: ItemEvent,
): Refusal | null {
  if (event.undoneBy !== null) return { kind: 'already undone' };
  if (event.kind === 'deleted') return event.deleted === null ? { kind: 'gone' } : null;
  if (item === null) return { kind: 'missing' };
  if (event.kind === 'restored') return null;
  if (event.kind === 'added') return item.version > event.version ? { kind: 'conflict' } : null;
  const undone = undoOf(item, event);
  return 'refusal' in undone ? undone.refusal : null;
}

export async function requireItem(transaction: Writing, number: number): Promise<StoredItem> {
  const item = await lockItem(transaction, number);
  return item ?? refuse({ kind: 'missing' });
}

export function refuse(refusal: Refusal): never {
  throw new ChangeRefused(refusal);
}

export function changeBy(author: number, batch: number | null = null): Change {
  return { author, at: new Date().toISOString(), batch };
}
