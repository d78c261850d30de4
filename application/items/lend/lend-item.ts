/**
 * Lends an item, or ends its loan, as events of its history. An item is lent as a whole, to one person at a time.
 * If two users lend it at once, the second one is told who has it.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireItem } from '../events/change-item.ts';
import { recordEvent } from '../events/item-events.ts';
import { type StoredItem, updateLoan } from '../stored-item.ts';

export interface Lending {
  readonly to: string;
  /** A day, as in `2026-11-20`. */
  readonly until: string | null;
  /** Since when, if that is not now. */
  readonly at?: string | null;
}

/** Resolves to the item as it was before. */
export async function lendItem(
  transaction: KyselyTransaction,
  number: number,
  { to, until, at }: Lending,
  author: number,
  batch: number | null = null,
): Promise<StoredItem> {
  const before = await requireItem(transaction, number);
  if (before.loan !== null) refuseChange({ kind: 'lent', loan: before.loan });
  const change = changeBy(author, batch);
  const loan = { to, until, at: at ?? change.at };
  const item = await updateLoan(transaction, before, loan, change);
  await recordEvent(transaction, item, change, { kind: 'lent', changes: { loan: [null, loan] } });
  return before;
}

/**
 * Ends the loan that began at `lentAt`, so an old page cannot end a later loan. Resolves to the item as it was
 * before.
 */
export async function returnItem(
  transaction: KyselyTransaction,
  number: number,
  lentAt: string,
  author: number,
): Promise<StoredItem> {
  const before = await requireItem(transaction, number);
  const { loan } = before;
  if (loan === null) refuseChange({ kind: 'returned' });
  if (loan.at !== lentAt) refuseChange({ kind: 'lent', loan });
  const change = changeBy(author);
  const item = await updateLoan(transaction, before, null, change);
  await recordEvent(transaction, item, change, {
    kind: 'returned',
    changes: { loan: [loan, null] },
  });
  return before;
}
