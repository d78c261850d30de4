/**
 * Moves items to the bin and restores them, several in a few statements. The event of a deletion holds the item
 * until it is restored.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireItem } from '../events/change-item.ts';
import { type ItemEvent, recordEvents, selectEvents, toEvent } from '../events/item-events.ts';
import { deleteItems, lockItem, restoreItems, type StoredItem } from '../stored-item.ts';

/** An item to delete, in its current state. The caller has locked it. */
export interface Removal {
  readonly item: StoredItem;
  /** The event that the deletion undoes, such as that of an import which added the item. */
  readonly undoes?: number | null;
}

/** Deletes up to a few hundred items. */
export async function removeItems(
  transaction: KyselyTransaction,
  removals: readonly Removal[],
  author: number,
  batch: number | null = null,
): Promise<void> {
  if (removals.length === 0) return;
  const numbers = removals.map(({ item }) => item.number);
  await deleteItems(transaction, numbers);
  const events = removals.map(({ item, undoes = null }) => ({
    ...{ item: { ...item, version: item.version + 1 }, kind: 'deleted' as const },
    ...{ undoes, snapshot: item },
  }));
  await recordEvents(transaction, changeBy(author, batch), events);
}

/** Resolves to the item that was deleted. */
export async function removeItem(
  transaction: KyselyTransaction,
  number: number,
  author: number,
  undoes: number | null = null,
): Promise<StoredItem> {
  const item = await requireItem(transaction, number);
  await removeItems(transaction, [{ item, undoes }], author);
  return item;
}

/** The event of a deletion that still holds the item. */
export type Deletion = Pick<ItemEvent, 'id'> & { readonly deleted: StoredItem };

/** Undoes up to a few hundred deletions. Resolves to the items, with their new versions. */
export async function bringBackItems(
  transaction: KyselyTransaction,
  deletions: readonly Deletion[],
  author: number,
  batch: number | null = null,
): Promise<readonly StoredItem[]> {
  if (deletions.length === 0) return [];
  const ids = deletions.map(({ id }) => id);
  // Of two concurrent restores, the second one waits here, and then finds no snapshot.
  const taken = await transaction
    .updateTable('item_events')
    .set({ snapshot: null })
    .where('id', 'in', ids)
    .where('snapshot', 'is not', null)
    .returning('id')
    .execute();
  if (taken.length < ids.length) refuseChange({ kind: 'already undone' });
  const change = changeBy(author, batch);
  const items = deletions.map(({ deleted }) => ({ ...deleted, version: deleted.version + 2 }));
  await restoreItems(transaction, items, change);
  const events = items.map((item, at) => ({
    ...{ item, kind: 'restored' as const, undoes: ids[at] ?? null },
  }));
  await recordEvents(transaction, change, events);
  return items;
}

/** Undoes the last deletion. Resolves to the item, with its new version. */
export async function bringBackItem(
  transaction: KyselyTransaction,
  number: number,
  author: number,
): Promise<StoredItem> {
  const row = await selectEvents(transaction)
    .where('item_events.item_number', '=', number)
    .where('item_events.snapshot', 'is not', null)
    .executeTakeFirst();
  const { id, deleted } = row === undefined ? { id: 0, deleted: null } : toEvent(row);
  if (deleted === null) {
    const exists = (await lockItem(transaction, number)) !== null;
    refuseChange({ kind: exists ? 'already undone' : 'gone' });
  }
  const [item] = await bringBackItems(transaction, [{ id, deleted }], author);
  return item ?? refuseChange({ kind: 'gone' });
}
