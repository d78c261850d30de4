/**
 * The list of items: the form that searches it, what it is narrowed down to, the table, and the way
 * to its other pages. Every link keeps all of that but what it changes.
 */
import { type Html, html, trustedHtml } from 'seeother';
import { href, itemHref, listHref } from '../links.ts';
import { formatCount, formatNumber, timeElement } from '../site/format.ts';
import type { PagePart } from '../site/layout.ts';
import type { ItemPage, Selection } from './item-list.ts';
import type { Order } from './item-order.ts';
import type { Item } from './item-rows.ts';
import { searchForm } from './item-search-form.ts';
import { locationLink, tagList } from './item-words.ts';
import { ORDER_NAMES } from './order-names.ts';
import { MOST_WORDS } from './search-words.ts';

export interface ItemListView {
  readonly list: ItemPage;
  readonly selection: Selection;
}

/** The list, the same for everybody who looks at it. */
export function itemListPart({ list, selection }: ItemListView): PagePart {
  const { items, page, pageCount, itemCount } = list;
  const filters = filtersOf(selection);
  const isEmpty = itemCount === 0 && filters.length === 0;
  const words = filters.map(({ text }) => text).join(', ');
  const about = words === '' ? 'Items' : `${words} – Items`;
  return {
    title:
      page === 1 ? about : `${about}, page ${formatNumber(page)} of ${formatNumber(pageCount)}`,
    section: 'items',
    main: html`<div class="page-head">
<h1>Items ${filters.length === 0 ? html`<span class="count">${formatCount(itemCount, 'item', 'items')}</span>` : null}</h1>
<a class="button" href="${href('/items/new')}">Add item</a>
</div>
${
  isEmpty
    ? emptyList()
    : html`${searchForm(selection)}
${filterLinks(selection, filters)}
${summary(list, filters.length > 0)}
${list.isSearchShortened ? SHORTENED : null}
${items.length === 0 ? null : itemTable(items, selection)}
${pageCount > 1 ? pageLinks(list, selection) : null}`
}`,
  };
}

interface Filter {
  readonly label: string;
  readonly text: string;
  /** What is left without it. */
  readonly without: Partial<Selection>;
}

function filtersOf(selection: Selection): readonly Filter[] {
  const { search, tag, location } = selection;
  return [
    { label: 'Search', text: search, without: { ...selection, search: '' } },
    { label: 'Tag', text: tag, without: { ...selection, tag: '' } },
    { label: 'Location', text: location, without: { ...selection, location: '' } },
  ].filter(({ text }) => text !== '');
}

function emptyList(): Html {
  return html`<p class="empty">Nothing here yet. <a href="${href('/items/new')}">Add the first item</a>.</p>`;
}

function filterLinks({ order }: Selection, filters: readonly Filter[]): Html | null {
  if (filters.length === 0) return null;
  return html`<ul class="filters" aria-label="Filters">
${filters.map(
  ({ label, text, without }) =>
    html`<li><a href="${listHref(without)}"><span class="visually-hidden">Remove </span>${label}: <strong>${text}</strong></a></li>\n`,
)}${filters.length === 1 ? null : html`<li><a class="all" href="${listHref({ order })}">Remove all filters</a></li>\n`}</ul>`;
}

/** See search-words.ts. */
const SHORTENED = html`<p>Words of a single letter or digit, and all words after the first ${MOST_WORDS}, are left out of a search.</p>`;

/** What a look at the table does not tell. */
function summary({ itemCount, pageCount, isCut }: ItemPage, isFiltered: boolean): Html | null {
  const count = formatCount(itemCount, 'item', 'items');
  if (isFiltered && itemCount === 0)
    return html`<p class="empty" role="status">Nothing matches. <a href="${href('/items')}">Show all items</a>.</p>`;
  if (isFiltered)
    return html`<p role="status">${isCut ? `More than ${count} match. These are the newest: add a word or a filter to see others.` : `${count} ${itemCount === 1 ? 'matches' : 'match'}.`}</p>`;
  if (isCut)
    return html`<p role="status">In this order the list ends with page ${formatNumber(pageCount)}. Search to see other items.</p>`;
  return null;
}

function itemTable(items: readonly Item[], selection: Selection): Html {
  const sortable = (label: string, one: Order, other: Order, className = '') =>
    sortHeader({ label, one, other, className, selection });
  return html`<table class="items">
<caption>${ORDER_NAMES[selection.order]}</caption>
<thead>
<tr>${sortable('Name', 'name', '-name')}${sortable('Quantity', 'quantity', '-quantity', 'number')}<th scope="col">Location</th><th scope="col">Tags</th>${sortable('Changed', '-changed', 'changed')}</tr>
</thead>
<tbody>
${items.map((item) => itemRow(item, selection))}</tbody>
</table>`;
}

interface SortHeader {
  readonly label: string;
  /** The order that the first click asks for, and the one that turns it round. */
  readonly one: Order;
  readonly other: Order;
  readonly className: string;
  readonly selection: Selection;
}

function sortHeader({ label, one, other, className, selection }: SortHeader): Html {
  const { order } = selection;
  const target = listHref({ ...selection, order: order === one ? other : one });
  const isSorted = order === one || order === other;
  const direction = order.startsWith('-') ? 'descending' : 'ascending';
  const sorted = isSorted ? trustedHtml(` aria-sort="${direction}"`) : null;
  const styled = className === '' ? null : html` class="${className}"`;
  return html`<th scope="col"${styled}${sorted}><a href="${target}">${label}</a></th>`;
}

function itemRow(item: Item, selection: Selection): Html {
  return html`<tr>
<th scope="row"><a href="${itemHref(item.number)}">${item.name}</a></th>
<td data-label="Quantity" class="number">${formatNumber(item.quantity)}</td>
<td data-label="Location">${locationLink(item.location, selection)}</td>
<td data-label="Tags">${tagList(item.tags, selection)}</td>
<td data-label="Changed">${timeElement(item.updatedAt)}</td>
</tr>
`;
}

function pageLinks({ page, pageCount }: ItemPage, selection: Selection): Html {
  const { order } = selection;
  const link = (to: number, label: string, relation = '') =>
    html`<li><a${relation === '' ? null : html` rel="${relation}"`} href="${listHref(selection, to)}">${label}</a></li>`;
  const [before, after] = order === 'newest' ? ['Newer', 'Older'] : ['Previous', 'Next'];
  return html`<nav class="pages" aria-label="Pages">
<ul>
${page > 2 ? link(1, 'First') : null}
${page > 1 ? link(page - 1, `← ${before}`, 'prev') : null}
<li><span aria-current="page">Page ${formatNumber(page)} of ${formatNumber(pageCount)}</span></li>
${page < pageCount ? link(page + 1, `${after} →`, 'next') : null}
${page < pageCount - 1 ? link(pageCount, 'Last') : null}
</ul>
</nav>`;
}
