/** The form to lend an item, the box that says who has it, and the page for a loan that has already ended. */
import {
  blankForm,
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
import { dueElement, timeElement, toDay } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { describeLoan } from '../events/event-text.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { Item } from '../item-rows.ts';
import { isOverdue, type ShownLoan, showLoan } from '../loan.ts';
import { type LendFields, returnForm, withDays } from './lend-form.ts';

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
  const { number, name } = item;
  const { loan } = showLoan(item, true);
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
${loan === null ? null : loanBox({ item, loan, place, now, once: html`${onceField(blankForm(returnForm, {}, undefined, viewer))}` })}
${
  loan !== null && errors.length === 0
    ? null
    : formTag(
        form,
        html`${formField(form, 'to')}
${suggestionList('people', names)}
${formField(withDays(form, now), 'term')}
${formField(form, 'until')}
<div class="actions"><button>Lend</button> <a href="${itemHref(number, place)}">Cancel</a></div>
`,
        { action: target, class: 'form' },
      )
}`,
  });
}

export interface LoanBox {
  readonly item: Pick<Item, 'number'>;
  readonly loan: ShownLoan;
  readonly place: ListPlace;
  readonly now: Date;
  /** The field for the key of the form; null without a form to return the item. */
  readonly once: Html | null;
}

export function loanBox({ item: { number }, loan, place, now, once }: LoanBox): Html {
  const { borrower, until, at } = loan;
  const isLate = isOverdue(loan, now);
  return html`<div class="loan${isLate ? ' overdue' : null}">
<p>${borrower === null ? html`It is <strong>lent</strong>` : html`<strong>${borrower}</strong> has it`}${until === null ? null : html`${isLate ? '. It was due on' : ' until'} ${dueElement(until, now)}`}.
<span class="details">Lent on ${timeElement(new Date(at))}.</span></p>
${
  once === null
    ? null
    : html`${returnButton({ number, loan, place, once })}
`
}</div>`;
}

export interface ReturnButton {
  /** Of the item. */
  readonly number: number;
  readonly loan: ShownLoan;
  readonly place: ListPlace;
  /** The field for the key of the form. */
  readonly once: Html;
}

export function returnButton({ number, loan: { at }, place, once }: ReturnButton): Html {
  const target = action('/items/:number<int>/return', { number }, toPlace(place));
  return html`<form method="post" action="${target}">${once}<input type="hidden" name="lent" value="${at}"><button>Return</button></form>`;
}

export interface ReturnRefusedView {
  readonly viewer: Viewer;
  readonly item: Item;
}

/** For a form whose loan has already ended. */
export function returnRefusedPage({ viewer, item }: ReturnRefusedView): Html {
  const { number, name, loan } = item;
  return layout({
    title: 'Returned already – Items',
    viewer,
    section: 'items',
    main: html`<h1>${name} was returned already</h1>
<p>${loan === null ? 'Nobody has it now.' : `It was lent again since, to ${describeLoan(loan)}.`} Nothing was changed.</p>
<h2>What you can do now</h2>
<ul>
<li>Show <a href="${itemHref(number)}">${name}</a>.</li>
<li>Show <a href="${historyHref(number)}">its history</a>.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}
