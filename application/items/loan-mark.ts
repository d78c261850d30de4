/** The mark of a lent item in a list: until when, and who has it. */
import { type Html, html } from 'seeother';
import { dueElement } from '../site/format.ts';
import { stateMark } from './item-words.ts';
import { isOverdue, type ShownLoan } from './loan.ts';

/**
 * Under the location, which is where the item belongs. Some screen readers read both as one word without the comma. The
 * day stands first, because a long name is cut.
 */
export function loanMark({ borrower, until }: ShownLoan, now: Date): Html {
  const due = until === null ? null : dueElement(until, now);
  const to = borrower === null ? null : ` to ${borrower}`;
  return html` <span class="lent"><span class="visually-hidden">, </span>${
    isOverdue({ until }, now)
      ? html`${stateMark('Overdue', true)} due ${due}${borrower === null ? null : `, ${borrower}`}`
      : html`Lent${due === null ? null : html` until ${due}`}${to}`
  }</span>`;
}
