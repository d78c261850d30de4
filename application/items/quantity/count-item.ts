/**
 * Takes from the quantity of an item, or adds to it. The change and its event are written in the transaction of the
 * form.
 */
import { sql } from 'kysely';
import type { Writing } from '../../database/kysely.ts';
import { changeBy, refuse } from '../events/change-item.ts';
import { recordEvent } from '../events/item-events.ts';
import { MAX_QUANTITY } from '../item-limits.ts';

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
    // Without a lock: a transaction that has locked the item may wait for the revision, which the update holds.
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
