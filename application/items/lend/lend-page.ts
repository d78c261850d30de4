/** The form to lend an item, the boxes that say who has it, and the pages to return a part, and of an ended loan. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import { action, historyHref, href, itemHref, type ListPlace, toPlace } from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { dueElement, formatNumber, timeElement, toDay } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { describeHere, describeLent } from '../events/event-text.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { Item } from '../item-rows.ts';
import { hereOf, isOverdue, lentOf, type Shown, type ShownLoan, showLoans } from '../loan.ts';
import { forItem, type LendFields, type ReturnFields, withDays } from './lend-form.ts';

export interface LendView {
  readonly viewer: Viewer;
  readonly item: Item;
  /** The list that the item's page leads back to. */
  readonly place: ListPlace;
  readonly form: FilledForm<LendFields>;
  readonly errors: readonly FormError<LendFields>[];
  /** The names to suggest. */
  readonly names: readonly string[];
  readonly now: Date;
}

export function lendPage({ viewer, item, place, form, errors, names, now }: LendView): Html {
  const { number, name, quantity } = item;
  const asksQuantity = quantity > 1 || errors.some(({ field }) => field === 'quantity');
  // A POST to the page's own address would remove it from the browser's cache, which Back needs.
  const target = action(
    '/items/:number<int>/lend',
    { number },
    { send: '', day: toDay(now), ...toPlace(place) },
  );
  return layout({
    title: formTitle(`Lend ${name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(number, place)}">← ${name}</a></p>
<h1>Lend ${name}</h1>
${loanBoxes({ item: showLoans(item, true), place, now, once: html`${onceField(openButton(viewer))}` })}
${
  hereOf(item) === 0 && errors.length === 0
    ? html`<p>${item.loans.length === 1 ? `Return ${lentOf(item.loans) === 1 ? 'it to lend it' : 'some to lend them'} again` : describeHere(item)}.</p>`
    : formTag(
        form,
        html`${formField(form, 'to')}
${suggestionList('people', names)}
${asksQuantity ? formField(forItem(form, item), 'quantity') : null}
${formField(withDays(form, now), 'term')}
${formField(form, 'until')}
<div class="actions"><button>Lend</button> <a href="${itemHref(number, place)}">Cancel</a></div>
`,
        { action: target, class: 'form' },
      )
}`,
  });
}

export interface LoanBoxes {
  readonly item: Shown<Pick<Item, 'number' | 'quantity' | 'loans'>>;
  readonly place: ListPlace;
  readonly now: Date;
  /** The field for the key of the forms; null without forms to return the item. */
  readonly once: Html | null;
}

/** One for each loan. */
export function loanBoxes({ item, place, now, once }: LoanBoxes): Html {
  const { number, quantity, loans } = item;
  return html`${loans.map((loan, at) => {
    const isLate = isOverdue(loan, now);
    const id = `loan-${at + 1}`;
    return html`<div class="loan${isLate ? ' overdue' : null}">
<p id="${id}">${whoHas(loan, quantity)}${loan.until === null ? null : html`${isLate ? '. It was due on' : ' until'} ${dueElement(loan.until, now)}`}.
<span class="details">Lent on ${timeElement(new Date(loan.at))}.</span></p>
${once === null ? null : html`${returnButton({ number, loan, place, once, id })}\n`}</div>
`;
  })}`;
}

function whoHas({ borrower, quantity }: ShownLoan, all: number): Html {
  const isAll = quantity === 1 && all <= 1;
  const count = formatNumber(quantity);
  if (borrower !== null) return html`<strong>${borrower}</strong> has ${isAll ? 'it' : count}`;
  return isAll
    ? html`It is <strong>lent</strong>`
    : html`${count} ${quantity === 1 ? 'is' : 'are'} <strong>lent</strong>`;
}

export interface ReturnButton {
  /** Of the item. */
  readonly number: number;
  readonly loan: ShownLoan;
  readonly place: ListPlace;
  /** The field for the key of the form. */
  readonly once: Html;
  /** Of the element that says who has it, for the button of one of several loans. */
  readonly id?: string;
}

/** Of several, it asks how many come back: all of them, unless somebody types fewer. */
export function returnButton({ number, loan, place, once, id }: ReturnButton): Html {
  const { at, quantity } = loan;
  const target = action('/items/:number<int>/return', { number }, toPlace(place));
  const part =
    id === undefined || quantity === 1
      ? null
      : html`<label for="${id}-part">How many</label> <input id="${id}-part" name="part" inputmode="numeric" autocomplete="off" value="${quantity}">`;
  const button =
    id === undefined
      ? html`<button>Return</button>`
      : html`<button class="quiet" aria-describedby="${id}">Return</button>`;
  return html`<form method="post" action="${target}">${once}<input type="hidden" name="lent" value="${at}">${part}${button}</form>`;
}

export interface ReturnView {
  readonly viewer: Viewer;
  readonly item: Item;
  readonly place: ListPlace;
  readonly form: FilledForm<ReturnFields>;
}

/** For a form to return a part that was refused. */
export function returnPage({ viewer, item, place, form }: ReturnView): Html {
  const { number, name, loans } = item;
  const loan = loans.find(({ at }) => at === form.text.lent);
  const target = action('/items/:number<int>/return', { number }, toPlace(place));
  return layout({
    title: formTitle(`Return ${name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(number, place)}">← ${name}</a></p>
<h1>Return ${name}</h1>
<p>${describeLent(loan === undefined ? item : { ...item, loans: [loan] })}.</p>
${formTag(
  form,
  html`${formField(form, 'lent')}${formField(form, 'part')}
<div class="actions"><button>Return</button> <a href="${itemHref(number, place)}">Cancel</a></div>
`,
  { action: target, class: 'form' },
)}`,
  });
}

export interface ReturnRefusedView {
  readonly viewer: Viewer;
  readonly item: Item;
}

/** For a form whose loan has already ended, or has fewer by now. */
export function returnRefusedPage({ viewer, item }: ReturnRefusedView): Html {
  const { number, name, loans } = item;
  return layout({
    title: 'Returned already – Items',
    viewer,
    section: 'items',
    main: html`<h1>${name} was returned already</h1>
<p>${loans.length === 0 ? 'Nobody has it now.' : `${describeLent(item)} now.`} Nothing was changed.</p>
<h2>What you can do now</h2>
<ul>
<li>Show <a href="${itemHref(number)}">${name}</a>.</li>
<li>Show <a href="${historyHref(number)}">its history</a>.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}
