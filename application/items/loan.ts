/**
 * Who has an item while it is lent, and until which day. A loan is no field of the item's form: an edit never
 * changes it, and it never conflicts with an edit.
 */
import { toDay } from '../site/format.ts';

export interface Loan {
  /** The name of somebody here, or of anybody else. */
  readonly to: string;
  /** The last day, as in `2026-11-20`; null without one. */
  readonly until: string | null;
  /** When the item was lent. */
  readonly at: string;
}

/** A loan as a page shows it. Without `showLoan`, the pages for everybody do not compile. */
export interface ShownLoan extends Pick<Loan, 'until' | 'at'> {
  /** `Loan.to`; null for a visitor, who sees that an item is lent, and not to whom. */
  readonly borrower: string | null;
}

export type Shown<T extends { readonly loan: Loan | null }> = Omit<T, 'loan'> & {
  readonly loan: ShownLoan | null;
};

export function showLoan<T extends { readonly loan: Loan | null }>(
  item: T,
  seesBorrowers: boolean,
): Shown<T> {
  const { loan, ...others } = item;
  if (loan === null) return { ...others, loan };
  const { to, ...shown } = loan;
  return { ...others, loan: { ...shown, borrower: seesBorrowers ? to : null } };
}

export interface LoanColumns {
  readonly lentTo: string | null;
  readonly lentUntil: string | null;
  readonly lentAt: string | null;
}

export function toLoan({ lentTo, lentUntil, lentAt }: LoanColumns): Loan | null {
  return lentTo === null ? null : { to: lentTo, until: lentUntil, at: lentAt ?? '' };
}

export function toLoanColumns(loan: Loan | null) {
  return {
    lent_to: loan?.to ?? null,
    lent_until: loan?.until ?? null,
    lent_at: loan?.at ?? null,
  };
}

/** An item that is due today is not overdue. Days begin at midnight of the team. */
export function isOverdue({ until }: Pick<Loan, 'until'>, now: Date): boolean {
  return until !== null && until < toDay(now);
}
