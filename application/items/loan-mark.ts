/** The marks of an item that needs attention: it runs low, or is lent, until when and to whom. */
import { type Html, html } from 'seeother';
import { dueElement, formatNumber } from '../site/format.ts';
import type { Item } from './item-rows.ts';
import { isLow } from './item-status.ts';
import { stateMark } from './item-words.ts';
import {
  firstDue,
  isOverdue,
  type Lendable,
  lentOf,
  listShownBorrowers,
  type Shown,
} from './loan.ts';

type Marked = Pick<Shown<Item>, 'quantity' | 'minimum' | 'loans'>;

export function stateMarks(item: Marked, now: Date): readonly Html[] {
  const { quantity, minimum, loans } = item;
  const marks: Html[] = [];
  if (isLow({ quantity, minimum }))
    marks.push(stateMark(`Low: ${formatNumber(quantity)} of ${formatNumber(minimum ?? 0)}`));
  if (loans.length > 0) marks.push(loanState(item, now));
  return marks;
}

/** Behind the name in a list, with the borrower. The spaces keep screen readers from reading all as one word. */
export function rowMarks(item: Marked, now: Date): Html | null {
  const marks = stateMarks(item, now);
  if (marks.length === 0) return null;
  const borrowers = listShownBorrowers(item.loans);
  return html`${marks.map((mark) => html` ${mark}`)}${borrowers === '' ? null : html` <span class="borrower">${borrowers}</span>`}`;
}

/** "Lent", or "3 of 12 lent". */
export function describePart({ quantity, loans }: Shown<Lendable>): string {
  const lent = lentOf(loans);
  return lent < quantity ? `${formatNumber(lent)} of ${formatNumber(quantity)} lent` : 'Lent';
}

function loanState(item: Shown<Lendable>, now: Date): Html {
  const { until = null } = firstDue(item.loans) ?? {};
  if (until === null) return stateMark(describePart(item));
  const isLate = isOverdue({ until }, now);
  return stateMark(
    html`${isLate ? 'Overdue since' : `${describePart(item)} until`} ${dueElement(until, now)}`,
    isLate,
  );
}
