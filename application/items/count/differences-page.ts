/** The page of the counted numbers that differ from the stored ones, before they are stored. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { countHref, differencesAction, itemHref } from '../../links.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { describeLent } from '../events/event-text.ts';
import type { Item } from '../item-rows.ts';
import type { DifferencesFields } from './count-forms.ts';
import { difference } from './count-record-page.ts';
import { type Counting, writeCounts } from './counts.ts';

export interface DifferencesView {
  readonly viewer: Viewer;
  readonly counting: Counting;
  /** The items of the rows by number, unless they were deleted. */
  readonly found: ReadonlyMap<number, Item>;
  readonly form: FilledForm<DifferencesFields>;
  readonly errors: readonly FormError<DifferencesFields>[];
}

interface Difference {
  readonly was: string;
  readonly counted: string;
}

/**
 * Whether only the user can say which number is right: the quantity was changed since it was counted, and not to what
 * was counted, or the item is lent, so it is not there to be counted.
 */
export function isAsked(row: Difference, item: Item | undefined): boolean {
  return isChanged(row, item) || (isLent(item) && `${item.quantity}` !== row.counted);
}

function isChanged({ was, counted }: Difference, item: Item | undefined): boolean {
  const now = `${item?.quantity ?? counted}`;
  return now !== was && now !== counted;
}

function isLent(item: Item | undefined): item is Item {
  return item !== undefined && item.loans.length > 0;
}

/** What the answer to a question is about. If it is no longer so, the answer does not count. */
export function stateSeen({ quantity, loans }: Pick<Item, 'quantity' | 'loans'>): string {
  return [`${quantity}`, ...loans.map((loan) => `${loan.quantity} ${loan.at}`)].join(' ');
}

export function differencesPage(view: DifferencesView): Html {
  const { viewer, counting, form } = view;
  const { list, of, page, key } = counting;
  const { length } = form.text.items;
  const counts = writeCounts(counting.counts);
  const back = countHref(list, { page, key, counts });
  return layout({
    title: formTitle('What differs – Items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${back}">← Count</a></p>
<h1>What differs</h1>
<p>${of === null ? formatCount(length, 'number differs', 'numbers differ') : `${formatNumber(length)} of ${formatCount(of, 'number', 'numbers')} ${length === 1 ? 'differs' : 'differ'}`} from what is stored. <strong>Nothing here is stored yet.</strong></p>
${formTag(
  form,
  html`<table class="counting">
<thead>
<tr><th scope="col">Name</th><th scope="col" class="number">Stored</th><th scope="col" class="number">Counted</th></tr>
</thead>
<tbody>
${form.text.items.map((_, at) => differenceRow(view, at))}</tbody>
</table>
<div class="actions"><button>Store these</button> <a href="${back}">Go on counting</a></div>
`,
  { action: differencesAction(list, { ...counting, all: null, counts }) },
)}`,
  });
}

function differenceRow({ form, found }: DifferencesView, at: number): Html | null {
  const row = form.text.items[at];
  if (row === undefined) return null;
  const item = found.get(Number(row.number));
  const counted = Number(row.counted);
  const hidden = html`${HIDDEN.map((field) => formField(form, `items.${at}.${field}`))}<input type="hidden" name="items.${at}.seen" value="${item && stateSeen(item)}">`;
  const asks = isAsked(row, item);
  return html`<tr>
<th scope="row">${item === undefined ? html`${row.name} (deleted)` : html`<a href="${itemHref(item.number)}">${row.name}</a>`}</th>
<td class="number">${formatNumber(item?.quantity ?? Number(row.was))}</td>
<td class="number">${formatNumber(counted)}${item === undefined ? null : difference(counted - item.quantity)}${hidden}${asks ? null : html`<input type="hidden" name="items.${at}.choice" value="counted">`}</td>
</tr>
${
  asks
    ? html`<tr class="asked">
<td colspan="3">${isLent(item) ? html`<p>${describeLent(item)}. What is lent is not counted here: keep the stored number, unless it is wrong.</p>\n` : null}${isChanged(row, item) ? html`<p>It was changed meanwhile: it was ${formatNumber(Number(row.was))} when you counted ${formatNumber(counted)}, and is ${formatNumber(item?.quantity ?? 0)} now.</p>\n` : null}
${formField(form, `items.${at}.choice`)}</td>
</tr>
`
    : null
}`;
}

const HIDDEN = ['number', 'name', 'was', 'counted'] as const;
