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
export function isOverdue({ until }: Loan, now: Date): boolean {
  return until !== null && until < toDay(now);
}
