/** The marks of an item that needs attention: it runs low, or is lent, until when and to whom. */
import { type Html, html } from 'seeother';
import { dueElement, formatNumber } from '../site/format.ts';
import type { Item } from './item-rows.ts';
import { isLow } from './item-status.ts';
import { stateMark } from './item-words.ts';
import { isOverdue, type Shown, type ShownLoan } from './loan.ts';

type Marked = Pick<Shown<Item>, 'quantity' | 'minimum' | 'loan'>;

export function stateMarks({ quantity, minimum, loan }: Marked, now: Date): readonly Html[] {
  const marks: Html[] = [];
  if (isLow({ quantity, minimum }))
    marks.push(stateMark(`Low: ${formatNumber(quantity)} of ${formatNumber(minimum ?? 0)}`));
  if (loan !== null) marks.push(loanState(loan, now));
  return marks;
}

/** Behind the name in a list, with the borrower. The spaces keep screen readers from reading all as one word. */
export function rowMarks(item: Marked, now: Date): Html | null {
  const marks = stateMarks(item, now);
  if (marks.length === 0) return null;
  const borrower = item.loan?.borrower ?? null;
  return html`${marks.map((mark) => html` ${mark}`)}${borrower === null ? null : html` <span class="borrower">${borrower}</span>`}`;
}

function loanState({ until }: Pick<ShownLoan, 'until'>, now: Date): Html {
  if (until === null) return stateMark('Lent');
  const isLate = isOverdue({ until }, now);
  return stateMark(
    html`${isLate ? 'Overdue since' : 'Lent until'} ${dueElement(until, now)}`,
    isLate,
  );
}
