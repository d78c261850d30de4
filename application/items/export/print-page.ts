/**
 * All items of a list on one page, to print: no links, no pages, a header on each sheet. Its style for paper is the
 * stylesheet's; no script opens the browser's dialog.
 */
import { type Html, html, listTable } from 'seeother';
import { chosenHref } from '../../links.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import { formatCount, formatNumber, timeElement } from '../../site/format.ts';
import { layout, seesBorrowers, type Viewer } from '../../site/layout.ts';
import type { Item } from '../item-rows.ts';
import { STATUS_NAMES } from '../item-status.ts';
import { ownColumn } from '../list/item-columns.ts';
import { orderName } from '../list/order-names.ts';
import { describeFilters } from '../list/own-filter-text.ts';
import { listShownBorrowers, type Shown, showLoans } from '../loan.ts';
import { describePart } from '../loan-mark.ts';
import type { ChosenItems } from '../ticked-numbers.ts';

export const MAX_PRINTED = 2_000;

export interface PrintView {
  readonly viewer: Viewer;
  readonly query: ChosenItems;
  /** At most `MAX_PRINTED`. */
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly definitions: Definitions;
  /** Of the site, such as `https://things.example`. */
  readonly origin: string;
  readonly now: Date;
}

export function printPage(view: PrintView): Html {
  const { viewer, query, items, hasMore, definitions, origin, now } = view;
  const status = query.show === '' ? [] : [STATUS_NAMES[query.show]];
  const words = [...describeFilters(query, definitions), ...status].join(', ');
  return layout({
    title: `Print – ${words === '' ? '' : `${words} – `}Items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${chosenHref(query)}">← Items</a></p>
<p class="notice">Print this page with your browser: Ctrl and P, or Print in its menu.</p>
<h1>Items${words === '' ? null : html`: ${words}`} <span class="count">${formatCount(items.length, 'item', 'items')}</span></h1>
${hasMore ? html`<p><strong>There are more: these are the first ${formatNumber(MAX_PRINTED)}. Add a filter to print the others.</strong></p>\n` : null}<p class="reference">${orderName({ ...query, search: '' }, definitions)}. ${timeElement(now)}. ${origin}${chosenHref(query)}</p>
${
  items.length === 0
    ? html`<p class="empty">Nothing matches.</p>`
    : printedTable(
        items.map((item) => showLoans(item, seesBorrowers(viewer))),
        definitions,
      )
}`,
  });
}

function toBorrowers({ loans }: Shown<Item>): string {
  const names = listShownBorrowers(loans);
  return names === '' ? '' : ` to ${names}`;
}

/** With the fields of the team's own that everybody's list has. */
function printedTable(items: readonly Shown<Item>[], { fields }: Definitions): Html {
  const own = fields.filter(({ inList }) => inList).map((field) => [field.name, ownColumn(field)]);
  return listTable({ ...PRINTED, ...Object.fromEntries(own) }, items, {
    class: 'printed',
    narrow: 'plain',
  });
}

const PRINTED = {
  number: { label: 'No.', class: 'number' },
  name: { label: 'Name', heading: true },
  quantity: {
    ...{ label: 'Quantity', class: 'number' },
    show: ({ quantity }: Shown<Item>) => formatNumber(quantity),
  },
  location: {
    label: 'Location',
    show: (item: Shown<Item>) =>
      html`${item.location}${item.loans.length === 0 ? null : html` <span class="lent">${describePart(item)}${toBorrowers(item)}</span>`}`,
  },
  tags: { label: 'Tags', show: ({ tags }: Shown<Item>) => tags.join(', ') },
};
