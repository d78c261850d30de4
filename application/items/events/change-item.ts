/**
 * What the changes of an item share: the lock, the refusal, and who changes it and when. A change writes its event
 * in the same transaction, that of the form. One that cannot be made throws a `ChangeRefused`.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { isTooManyLent, type Lendable } from '../loan.ts';
import { type Authorship, lockItem, type StoredItem } from '../stored-item.ts';
import { ChangeRefused, type Refusal } from './change-refused.ts';
import { recordEvents } from './item-events.ts';

/** Records that a batch has added these items, so that undoing the batch deletes them. */
export async function recordAdded(
  transaction: KyselyTransaction,
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

export async function requireItem(
  transaction: KyselyTransaction,
  number: number,
): Promise<StoredItem> {
  const item = await lockItem(transaction, number);
  return item ?? refuseChange({ kind: 'missing' });
}

/** Refuses a change that would leave more lent than there is. */
export function requireEnough(before: Lendable, after: Lendable): void {
  if (isTooManyLent(before, after)) refuseChange({ kind: 'lent', item: before });
}

export function refuseChange(refusal: Refusal): never {
  throw new ChangeRefused(refusal);
}

export function changeBy(author: number, batch: number | null = null): Authorship {
  return { author, at: new Date().toISOString(), batch };
}
