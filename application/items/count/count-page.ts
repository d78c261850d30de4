/**
 * The page to count the items of a list: one row for each, with its number to be typed over. A name is no link: it
 * would lead away from what was typed, and be a stop of the Tab key between two numbers.
 */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
  pageLinks,
} from 'seeother';
import { chosenHref, countAction, countHref, countsHref, href } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { CountRecord } from '../count-records.ts';
import { describeLent } from '../events/event-text.ts';
import type { ItemPage } from '../item-list.ts';
import type { Item } from '../item-rows.ts';
import { lastCounted } from '../last-counted.ts';
import type { CountFields } from './count-forms.ts';
import type { Counting } from './counts.ts';

export interface CountView {
  readonly viewer: Viewer;
  readonly counting: Counting;
  /** Null for a form that was sent while too many searches ran. */
  readonly list: ItemPage | null;
  /** The items of the rows by number, unless they were deleted. */
  readonly found: ReadonlyMap<number, Item>;
  readonly form: FilledForm<CountFields>;
  readonly errors: readonly FormError<CountFields>[];
  readonly isDraft: boolean;
  /** The last count of the same place; null without one. */
  readonly last: CountRecord | null;
  readonly now: Date;
}

export function countPage(view: CountView): Html {
  const { viewer, counting, list, form, isDraft, last, now } = view;
  const { search, tag, location } = counting.list;
  const where = [search, tag, location].filter((text) => text !== '').join(', ');
  const links = pageLinks({
    page: list?.page ?? 1,
    pageCount: list?.pageCount ?? 1,
    href: (to) => countHref(counting.list, { page: to, key: counting.key }),
  });
  return layout({
    title: formTitle(`Count ${where === '' ? 'items' : where} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${chosenHref(counting.list)}">← Items</a></p>
<h1>Count ${where === '' ? 'items' : where}</h1>
<p class="details">${last === null ? null : html`${lastCounted(last, now)} `}<a href="${countsHref()}">All counts</a></p>
${isDraft ? draftNotice(viewer) : null}
${form.text.items.length === 0 ? html`<p class="empty">There is nothing to count here. <a href="${href('/items')}">Show all items</a>, or <a href="${href('/items/new')}">add one</a>.</p>` : countTable(view)}
${links.nav}`,
  });
}

function countTable({ counting, list, found, form }: CountView): Html {
  const place = { key: counting.key, ...(list === null ? counting : pageAfter(list)) };
  const locations = new Set([...found.values()].map(({ location }) => location));
  const hasLocations = locations.size > 1;
  const hasLent = [...found.values()].some(({ loans }) => loans.length > 0);
  return html`<p>Type the numbers that you count over those that are stored, and save. You see what differs before anything is stored.${hasLent ? ' What is lent is not here: leave its number empty.' : null}${list === null || list.pageCount === 1 ? null : ` ${formatCount(list.itemCount, 'item', 'items')} are on ${formatNumber(list.pageCount)} pages: save each before the next one.`}</p>
${formTag(
  form,
  html`<table class="counting">
<thead>
<tr><th scope="col">Name</th><th scope="col" class="number">Stored</th><th scope="col" class="counted">Counted</th></tr>
</thead>
<tbody>
${form.text.items.map(({ number, name, was }, at) => {
  const item = found.get(Number(number));
  return html`<tr>
<th scope="row">${name}${hasLocations ? html` <span class="location">${item?.location}</span>` : null}${item !== undefined && item.loans.length > 0 ? html` <span class="location">${describeLent(item)}</span>` : null}</th>
<td class="number">${formatNumber(Number(was))}</td>
<td class="counted">${HIDDEN.map((field) => formField(form, `items.${at}.${field}`))}${formField(form, `items.${at}.counted`)}</td>
</tr>
`;
})}</tbody>
</table>
<div class="actions"><button>Save</button> <a href="${chosenHref(counting.list)}">Cancel</a></div>
`,
  { action: countAction(counting.list, place) },
)}`;
}

function pageAfter({ page, pageCount, itemCount }: ItemPage) {
  return { page, next: page < pageCount ? page + 1 : null, all: itemCount };
}

const HIDDEN = ['number', 'name', 'was'] as const;
