/**
 * Lends some of an item, or ends a loan, as events of its history. The item is locked, so if two users lend the last
 * ones at once, the second one is told who has them.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireEnough, requireItem } from '../events/change-item.ts';
import { compareStates } from '../events/item-changes.ts';
import { recordEvent } from '../events/item-events.ts';
import { addLoan, hereOf, type Loan, withoutPart } from '../loan.ts';
import { type StoredItem, updateLoans } from '../stored-item.ts';

export interface Lending {
  readonly to: string;
  /** A day, as in `2026-11-20`. */
  readonly until: string | null;
  /** All that are here, by default. */
  readonly quantity?: number | null;
  /** Since when, if that is not now. */
  readonly at?: string | null;
}

/** Resolves to the item as it was before. */
export async function lendItem(
  transaction: KyselyTransaction,
  number: number,
  { to, until, quantity, at }: Lending,
  author: number,
  batch: number | null = null,
): Promise<StoredItem> {
  const before = await requireItem(transaction, number);
  const change = changeBy(author, batch);
  const loan = {
    to,
    until,
    quantity: quantity ?? Math.max(1, hereOf(before)),
    at: at ?? change.at,
  };
  const loans = addLoan(before.loans, loan);
  requireEnough(before, { ...before, loans });
  const after = await updateLoans(transaction, before, loans, change);
  await recordEvent(transaction, after, change, {
    kind: 'lent',
    changes: compareStates(before, after),
  });
  return before;
}

export interface Returning {
  /** When the loan began, so an old page cannot end a later one. */
  readonly lent: string;
  /** How many come back; null for all. */
  readonly part: number | null;
}

export interface Returned {
  readonly item: StoredItem;
  /** As it was before. */
  readonly loan: Loan;
  readonly returned: number;
}

/** Ends a loan, or returns a part of it. */
export async function returnItem(
  transaction: KyselyTransaction,
  number: number,
  { lent, part }: Returning,
  author: number,
): Promise<Returned> {
  const before = await requireItem(transaction, number);
  const loan = before.loans.find(({ at }) => at === lent);
  const returned = part ?? loan?.quantity ?? 0;
  if (loan === undefined || returned > loan.quantity) refuseChange({ kind: 'returned' });
  const loans = withoutPart(before.loans, loan, returned);
  const change = changeBy(author);
  const item = await updateLoans(transaction, before, loans, change);
  await recordEvent(transaction, item, change, {
    kind: 'returned',
    changes: compareStates(before, item),
  });
  return { item, loan, returned };
}
