/**
 * Edits an item, or counts its quantity; see also delete-items.ts and undo-event.ts. A change writes its event in
 * the same transaction, that of the form. One that cannot be made throws a `ChangeRefused`.
 */
import { sql } from 'kysely';
import type { Writing } from '../../database/database.ts';
import type { ItemInput } from '../item-rows.ts';
import { type Change, lockItem, type StoredItem, updateItems } from '../stored-item.ts';
import { ChangeRefused, type Refusal } from './change-refused.ts';
import { changedFields, compareItems, type ItemField, withFieldsOf } from './item-changes.ts';
import { recordEvent, recordEvents } from './item-events.ts';

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
  const item = { ...before, ...after, version: before.version + 1 };
  await updateItems(transaction, [{ before, after: item }], change);
  await recordEvent(transaction, item, change, { kind: 'changed', changes });
  return true;
}

/** Whether a field of the form was changed. A deletion followed by a restore changes none. */
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

/** Concurrent changes add up. Resolves to the new quantity. */
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
    // Without a lock: the update holds the revision already, which whoever has locked the item may wait for.
    const there = await transaction
      .selectFrom('items')
      .select('quantity')
      .where('number', '=', number)
      .executeTakeFirst();
    refuse(there === undefined ? { kind: 'missing' } : { kind: 'quantity', ...there });
  }
  const changes = { quantity: [item.quantity - by, item.quantity] } as const;
  await recordEvent(transaction, item, change, { kind: 'counted', changes, reason });
  return item.quantity;
}

/** Records that a batch has added these items, so that undoing the batch deletes them. */
export async function recordAdded(
  transaction: Writing,
  items: readonly { readonly number: number; readonly name: string }[],
  author: number,
  batch: number,
): Promise<void> {
  if (items.length === 0) return;
  const events = items.map(({ number, name }) => ({
    ...{ item: { number, name, version: 1 }, kind: 'added' as const },
  }));
  await recordEvents(transaction, changeBy(author, batch), events);
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
