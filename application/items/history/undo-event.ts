/** Undoes single changes, and says which cannot be undone. Undoing a change is a change too, with its own event. */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { bringBackItem, removeItem } from '../delete/delete-items.ts';
import { changeBy, refuseChange } from '../events/change-item.ts';
import type { Refusal } from '../events/change-refused.ts';
import {
  compareStates,
  type ItemState,
  lacksValues,
  recordedFields,
  undoChanges,
} from '../events/item-changes.ts';
import { type ItemEvent, recordEvent, selectEvents, toEvent } from '../events/item-events.ts';
import { undoFiles } from '../files/change-files.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import { isTooManyLent } from '../loan.ts';
import { lockItem, updateItems } from '../stored-item.ts';

/** Undoes one change, also after later changes. Resolves to the event that was undone. */
export async function undoEvent(
  transaction: KyselyTransaction,
  number: number,
  id: number,
  author: number,
): Promise<ItemEvent> {
  const before = await lockItem(transaction, number);
  const row = await selectEvents(transaction)
    .where('item_events.id', '=', id)
    .where('item_events.item_number', '=', number)
    .executeTakeFirst();
  if (row === undefined) refuseChange({ kind: 'gone' });
  const event = toEvent(row);
  if (event.undoneBy !== null) refuseChange({ kind: 'already undone' });
  if (isRemovedForEver(event)) refuseChange({ kind: 'gone' });
  if (event.kind === 'deleted') {
    if (event.deleted === null) refuseChange({ kind: 'gone' });
    await bringBackItem(transaction, number, author);
    return event;
  }
  if (before === null) refuseChange({ kind: 'missing' });
  if (event.kind === 'restored' || event.kind === 'added') {
    if (event.kind === 'added' && before.version > event.version)
      refuseChange({ kind: 'conflict' });
    await removeItem(transaction, number, author, id);
    return event;
  }
  if (event.changes.files !== undefined) {
    await undoFiles(transaction, before, event.changes.files, { author, undoes: id });
    return event;
  }
  const undone = undoOf(before, event);
  if ('refusal' in undone) refuseChange(undone.refusal);
  const { after } = undone;
  const change = changeBy(author);
  const { kind } = event;
  const item = { ...before, ...after, version: before.version + 1 };
  await updateItems(transaction, [{ before, after: item }], change);
  const changes = compareStates(before, after);
  await recordEvent(transaction, item, change, { kind, changes, undoes: id });
  return event;
}

/** Whether the values to restore are missing: an administrator removed them, or they were in the bin for 30 days. */
function isRemovedForEver({ kind, changes }: ItemEvent): boolean {
  if (kind === 'deleted' || kind === 'restored' || kind === 'added') return false;
  const isEmpty = recordedFields(changes).length === 0 && changes.files === undefined;
  return isEmpty || lacksValues(changes);
}

/** The item with its old values, or why it cannot have them. */
export function undoOf(
  before: ItemState,
  { changes }: Pick<ItemEvent, 'changes'>,
): { readonly after: ItemState } | { readonly refusal: Refusal } {
  const { item: after, changedSince } = undoChanges(before, changes);
  if (changedSince.length > 0) return { refusal: { kind: 'changed since', fields: changedSince } };
  if (after.quantity < 0 || after.quantity > MAX_QUANTITY)
    return { refusal: { kind: 'quantity', quantity: before.quantity } };
  if (isTooManyLent(before, after)) return { refusal: { kind: 'lent', item: before } };
  return { after };
}

/** Why the event cannot be undone now; null if it can. `item` is null if it does not exist. */
export function refusalOf(
  item: (ItemState & { readonly version: number }) | null,
  event: ItemEvent,
): Refusal | null {
  if (event.undoneBy !== null) return { kind: 'already undone' };
  if (isRemovedForEver(event)) return { kind: 'gone' };
  if (event.kind === 'deleted') return event.deleted === null ? { kind: 'gone' } : null;
  if (item === null) return { kind: 'missing' };
  if (event.kind === 'restored') return null;
  if (event.kind === 'added') return item.version > event.version ? { kind: 'conflict' } : null;
  const undone = undoOf(item, event);
  return 'refusal' in undone ? undone.refusal : null;
}
