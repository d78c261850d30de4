/**
 * Who has how many of an item, and until which day: several loans, of different people or of one, and never more than
 * there is. A loan is no field of the item's form: an edit changes none, and none conflicts with an edit.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { listNames, toDay } from '../site/format.ts';

export interface Loan {
  /** The name of somebody here, or of anybody else. */
  readonly to: string;
  /** The last day, as in `2026-11-20`; null without one. */
  readonly until: string | null;
  /** When it began. Of an item, no two loans have the same. */
  readonly at: string;
  readonly quantity: number;
}

/** An item with its loans, the oldest first. */
export interface Lendable {
  readonly quantity: number;
  readonly loans: readonly Loan[];
}

/** A loan as a page shows it. Without `showLoans`, the pages for everybody do not compile. */
export interface ShownLoan extends Omit<Loan, 'to'> {
  /** `Loan.to`; null for a visitor, who sees that an item is lent, and not to whom. */
  readonly borrower: string | null;
}

export type Shown<T extends Pick<Lendable, 'loans'>> = Omit<T, 'loans'> & {
  readonly loans: readonly ShownLoan[];
};

export function showLoans<T extends Pick<Lendable, 'loans'>>(
  item: T,
  seesBorrowers: boolean,
): Shown<T> {
  // Most items are not lent: without a copy of each, a list takes less.
  if (item.loans.length === 0) return item as unknown as Shown<T>;
  const borrowers = ({ to, ...loan }: Loan) => ({ ...loan, borrower: seesBorrowers ? to : null });
  return { ...item, loans: item.loans.map(borrowers) };
}

/** Each name once. */
export function listBorrowers(names: readonly string[]): string {
  return listNames([...new Set(names)]);
}

/** Those that the viewer may see; empty for none. */
export function listShownBorrowers(loans: readonly ShownLoan[]): string {
  return listBorrowers(loans.flatMap(({ borrower }) => borrower ?? []));
}

/** How many are lent. */
export function lentOf(loans: readonly Pick<Loan, 'quantity'>[]): number {
  return loans.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** How many are here to be lent. */
export function hereOf({ quantity, loans }: Shown<Lendable> | Lendable): number {
  return Math.max(0, quantity - lentOf(loans));
}

/**
 * Whether the change would leave more lent than there is. An older release could lend an item whose quantity was 0:
 * that may stay so, until a change makes it worse.
 */
export function isTooManyLent(before: Lendable, after: Lendable): boolean {
  const lent = lentOf(after.loans);
  return lent > after.quantity && (lent > lentOf(before.loans) || after.quantity < before.quantity);
}

/** With the loan, which begins a millisecond later if another one began at the same. */
export function addLoan(loans: readonly Loan[], loan: Loan): readonly Loan[] {
  const taken = new Set(loans.map(({ at }) => at));
  let { at } = loan;
  while (taken.has(at)) at = new Date(Date.parse(at) + 1).toISOString();
  return sortLoans([...loans, { ...loan, at }]);
}

/** Without as many of the loan, which is one of these. */
export function withoutPart(loans: readonly Loan[], loan: Loan, returned: number): readonly Loan[] {
  const quantity = loan.quantity - returned;
  return loans.flatMap((one) =>
    one !== loan ? [one] : quantity > 0 ? [{ ...one, quantity }] : [],
  );
}

/** The oldest first. */
export function sortLoans(loans: readonly Loan[]): readonly Loan[] {
  return loans.toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** The one that is due first; of those without a day, the oldest. */
export function firstDue<One extends Pick<Loan, 'until'>>(loans: readonly One[]): One | undefined {
  return loans.toSorted(({ until: one }, { until: other }) =>
    one === other ? 0 : one !== null && (other === null || one < other) ? -1 : 1,
  )[0];
}

/** An item that is due today is not overdue. Days begin at midnight of the team. */
export function isOverdue({ until }: Pick<Loan, 'until'>, now: Date): boolean {
  return until !== null && until < toDay(now);
}

/** What `items` has of its loans, for filters and for conditions of a single statement. */
export function toLoanColumns(loans: readonly Loan[]) {
  return { lent: lentOf(loans), due: firstDue(loans)?.until ?? null };
}

/** The loans of each item, as text for `parseLoans`: without a further statement, and as of the same moment. */
export function loansText(source: Kysely<Schema>): RawBuilder<string | null> {
  const fields = sql`'to', borrower, 'until', until, 'at', at, 'quantity', quantity`;
  const list = isSqlite(source)
    ? sql`json_group_array(json_object(${fields}) order by at)`
    : sql`cast(json_agg(json_build_object(${fields}) order by at) as text)`;
  return sql`case when lent > 0 then (select ${list} from loans where item = items.number) end`;
}

const NONE: readonly Loan[] = [];

export function parseLoans(text: string | null): readonly Loan[] {
  return text === null ? NONE : JSON.parse(text);
}

/** Replaces the loans of items whose columns the caller has written. */
export async function writeLoans(
  transaction: KyselyTransaction,
  items: readonly { readonly number: number; readonly loans: readonly Loan[] }[],
): Promise<void> {
  const numbers = items.map(({ number }) => number);
  await transaction.deleteFrom('loans').where('item', 'in', numbers).execute();
  await insertLoans(transaction, items);
}

/** The loans of items that have none yet. */
export async function insertLoans(
  transaction: KyselyTransaction,
  items: readonly { readonly number: number; readonly loans: readonly Loan[] }[],
): Promise<void> {
  const rows = items.flatMap(({ number, loans }) =>
    loans.map(({ to, ...loan }) => ({ item: number, borrower: to, ...loan })),
  );
  if (rows.length > 0) await transaction.insertInto('loans').values(rows).execute();
}
