/**
 * Takes from the quantity of an item, adds to it, or sets it. The change and its event are written in the transaction
 * of the form.
 */
import { sql } from 'kysely';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireEnough, requireItem } from '../events/change-item.ts';
import { recordEvent } from '../events/item-events.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import { loansText, parseLoans } from '../loan.ts';
import { updateItems } from '../stored-item.ts';

export interface Count {
  /** Negative to take. */
  readonly by: number;
  readonly reason: string;
}

export interface Counted {
  readonly from: number;
  readonly to: number;
  /** Its id; null if nothing was changed. */
  readonly event: number | null;
}

/** Concurrent changes add up. */
export async function countItem(
  transaction: KyselyTransaction,
  number: number,
  { by, reason }: Count,
  author: number,
): Promise<Counted> {
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
    .where(sql<boolean>`quantity + ${by} between ${by < 0 ? sql`lent` : 0} and ${MAX_QUANTITY}`)
    .returning(['number', 'name', 'quantity', 'version'])
    .executeTakeFirst();
  if (item === undefined) {
    // Without a lock: a transaction that has locked the item may wait for the revision, which the update holds.
    const there = await transaction
      .selectFrom('items')
      .select(['quantity', loansText(transaction).as('loans')])
      .where('number', '=', number)
      .executeTakeFirst();
    if (there === undefined) refuseChange({ kind: 'missing' });
    const { quantity } = there;
    const loans = parseLoans(there.loans);
    if (by < 0 && loans.length > 0) refuseChange({ kind: 'lent', item: { quantity, loans } });
    refuseChange({ kind: 'quantity', quantity });
  }
  const [from, to] = [item.quantity - by, item.quantity];
  const changes = { quantity: [from, to] } as const;
  const event = await recordEvent(transaction, item, change, { kind: 'counted', changes, reason });
  return { from, to, event };
}

export interface QuantitySet {
  readonly to: number;
  /** The quantity that the form shows. Another one is not overwritten. */
  readonly seen: number | null;
  readonly reason: string;
}

export async function setQuantity(
  transaction: KyselyTransaction,
  number: number,
  { to, seen, reason }: QuantitySet,
  author: number,
): Promise<Counted> {
  const before = await requireItem(transaction, number);
  const from = before.quantity;
  if (from === to) return { from, to, event: null };
  if (from !== seen) refuseChange({ kind: 'conflict' });
  const change = changeBy(author);
  const after = { ...before, quantity: to, version: before.version + 1 };
  requireEnough(before, after);
  await updateItems(transaction, [{ before, after }], change);
  const changes = { quantity: [from, to] } as const;
  const event = await recordEvent(transaction, after, change, { kind: 'changed', changes, reason });
  return { from, to, event };
}
