/**
 * The page with the list of items: filters, active filters, table, and links to other pages. Every
 * link keeps the rest of the query.
 */
import { type Html, html, listTable, pageLinks } from 'seeother';
import { href, itemHref, itemHrefs, type ListAddress, listHref } from '../../links.ts';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { isSortable } from '../../own-fields/own-field.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import type { Fragment } from '../../site/layout.ts';
import type { CountRecord } from '../count-records.ts';
import { type CommonNames, facetColumn } from '../facets/facet-column.ts';
import { type ItemPage, PAGE_SIZE } from '../item-list.ts';
import { type FixedOrder, isDescending } from '../item-order.ts';
import { type ItemQuery, isFiltered, isNarrowed } from '../item-query.ts';
import { type ItemStatus, STATUS_NAMES, type StatusCounts } from '../item-status.ts';
import { lastCounted } from '../last-counted.ts';
import { hasPicture, nameWithPicture } from '../list-picture.ts';
import { showLoans } from '../loan.ts';
import { isSample } from '../sample-items.ts';
import { MAX_WORDS } from '../search-words.ts';
import type { Beginning } from './first-steps.ts';
import { itemColumns } from './item-columns.ts';
import { searchFields } from './item-search-form.ts';
import { listTools } from './list-tools.ts';
import type { ListView } from './list-view.ts';
import { ORDER_NAMES, orderName, ownOrderName } from './order-names.ts';
import { describeOwnFilter, kindName } from './own-filter-text.ts';
import { statusTabs } from './status-tabs.ts';

export interface ItemListView {
  readonly list: ItemPage;
  readonly query: ItemQuery;
  readonly common: CommonNames;
  /** Null for a list with another filter than the status. */
  readonly statuses: StatusCounts | null;
  /** The item whose number is the search; without a name there is none. See sought-number.ts. */
  readonly sought: { readonly number: number; readonly name: string | null } | null;
  /** The last count of the place or tag that the list is of; null without one. */
  readonly counted: CountRecord | null;
  /** Days such as "Yesterday" are relative to it; see `toDayNumber`. */
  readonly now: Date;
  /** Whether links to change items are shown. */
  readonly mayChange: boolean;
  /** Whether borrowers are named. */
  readonly hasAccount: boolean;
  readonly view: ListView;
  readonly definitions: Definitions;
  /** Above the list while there is no account. */
  readonly welcome: Html | null;
}

/** The same for all users of a role who have chosen the same columns. */
export function itemListFragment(content: ItemListView): Fragment & Beginning {
  const { list, query, common, statuses, sought, counted, mayChange, hasAccount, welcome } =
    content;
  const { definitions } = content;
  const { items, page, pageCount, itemCount } = list;
  const filters = filtersOf(query, definitions);
  const isEmpty = itemCount === 0 && !isFiltered(query);
  const status = query.show === '' ? [] : [STATUS_NAMES[query.show]];
  const words = [...status, ...filters.map(({ text }) => text)].join(', ');
  const about = words === '' ? 'Items' : `${words} – Items`;
  return {
    title:
      page === 1 ? about : `${about}, page ${formatNumber(page)} of ${formatNumber(pageCount)}`,
    section: 'items',
    search: query.search,
    isEmpty,
    samples: onlySamples(content),
    main: html`${items.length === 0 ? null : SKIP_TO_LIST}${welcome}<div class="page-head">
<h1>Items ${isFiltered(query) ? null : html`<span class="count visually-hidden">${formatCount(itemCount, 'item', 'items')}</span>`}</h1>
${isEmpty ? null : listTools({ query, page, mayChange, hasAccount })}${mayChange ? html`<a class="button" href="${href('/items/new')}">Add<span class="rest"> item</span></a>\n` : null}</div>
${
  isEmpty
    ? emptyList(mayChange)
    : html`<div class="beside-facets">
${facetColumn(common, query)}<div>
${statusTabs(query, howMany(list), statuses)}
${searchFields(query, definitions)}
${filterLinks(query, filters)}
${sought === null ? null : soughtItem(sought)}
${sought !== null && itemCount === 0 ? null : summary(list, query)}
${counted === null ? null : html`<p class="details">${lastCounted(counted, content.now)}</p>`}
${sought === null && list.isSearchShortened ? SHORTENED : null}
${list.isInsideCut ? INSIDE_CUT : null}
${items.length === 0 ? null : itemTable(content)}
${pagesNav(list, query)}
</div>
</div>`
}`,
  };
}

/** The numbers of the samples, if there is nothing else. */
function onlySamples({ list: { items, itemCount }, query }: ItemListView): readonly number[] {
  const isAll = itemCount === items.length && !isFiltered(query);
  return isAll && items.every(isSample) ? items.map(({ number }) => number) : [];
}

/** The links and the form above the list are many stops for somebody who presses Tab. */
const SKIP_TO_LIST = html`<a class="skip-link" href="#list">Skip to the list</a>
`;

interface Filter {
  readonly label: string;
  readonly text: string;
  /** The query without this filter. */
  readonly without: ListAddress;
}

function filtersOf(query: ItemQuery, definitions: Definitions): readonly Filter[] {
  const { search, tag, location } = query;
  return [
    { label: 'Search', text: search, without: { ...query, search: '' } },
    { label: 'Tag', text: tag, without: { ...query, tag: '' } },
    { label: 'Location', text: location, without: { ...query, location: '' } },
    { label: 'Kind', text: kindName(query.kind, definitions), without: { ...query, kind: '' } },
    ...query.own.flatMap((filter) => {
      const said = describeOwnFilter(filter, definitions);
      const own = query.own.filter((one) => one !== filter);
      return said === null ? [] : { ...said, without: { ...query, own } };
    }),
  ].filter(({ text }) => text !== '');
}

function emptyList(mayChange: boolean): Html {
  if (!mayChange) return html`<p class="empty">Nothing here yet.</p>`;
  return html`<p class="empty">Nothing here yet. <a href="${href('/items/new')}">Add the first item</a>, or <a href="${href('/items/import')}">import a CSV file</a>.</p>`;
}

function filterLinks({ show, order }: ItemQuery, filters: readonly Filter[]): Html | null {
  if (filters.length === 0) return null;
  return html`<ul class="filters" aria-label="Filters">
${filters.map(
  ({ label, text, without }) =>
    html`<li><a href="${listHref(without)}"><span class="visually-hidden">Remove </span>${label}: <strong>${text}</strong></a></li>\n`,
)}${filters.length === 1 ? null : html`<li><a class="all" href="${listHref({ show, order })}">Remove all filters</a></li>\n`}</ul>`;
}

function soughtItem({ number, name }: NonNullable<ItemListView['sought']>): Html {
  const path = itemHref(number);
  return name === null
    ? html`<p role="status">There is no item ${number}. <a href="${path}">See why</a></p>`
    : html`<p class="sought" role="status">Item ${number}: <a href="${path}">${name}</a> <span class="hint">Search for #${number} to open it directly.</span></p>`;
}

/** See search-words.ts. */
const SHORTENED = html`<p>Words of a single letter or digit, and all words after the first ${MAX_WORDS}, are left out of a search.</p>`;

/** See item-vocabulary.ts. */
const INSIDE_CUT = html`<p>Many different words contain what you typed, so only some of them were searched. Type more of the word to find the others.</p>`;

/** As the tab says it. The exact number is known if it is higher than the number of listed items. */
function howMany(list: ItemPage): string {
  return `${formatNumber(list.itemCount)}${isExact(list) ? '' : '+'}`;
}

function isExact({ itemCount, pageCount, isTruncated }: ItemPage): boolean {
  return !isTruncated || itemCount > pageCount * PAGE_SIZE;
}

const NONE: Readonly<Record<ItemStatus, string>> = {
  lent: 'Nothing is lent.',
  low: 'Nothing is running low.',
  overdue: 'Nothing is overdue.',
};

/** How many items match, and whether the list is complete. */
function summary(list: ItemPage, query: ItemQuery): Html | null {
  const { itemCount, pageCount, isTruncated, suggestion } = list;
  const listed = formatNumber(pageCount * PAGE_SIZE);
  if (suggestion !== undefined)
    return html`<p class="empty" role="status">Nothing matches. Did you mean <a href="${listHref({ ...query, search: suggestion })}"><strong>${suggestion}</strong></a>?</p>`;
  if (itemCount === 0)
    return query.show !== '' && !isNarrowed(query)
      ? html`<p class="empty" role="status">${NONE[query.show]}</p>`
      : html`<p class="empty" role="status">Nothing matches. <a href="${href('/items')}">Show all items</a>, or read <a href="${href('/help')}#searching">how to search</a>.</p>`;
  if (isTruncated && !isFiltered(query))
    return html`<p role="status">In this order the list ends with page ${formatNumber(pageCount)}. Search to see other items.</p>`;
  if (isTruncated)
    return html`<p role="status">${isExact(list) ? null : 'More than '}${formatNumber(itemCount)} items match. The list has the newest ${listed}: add a word or a filter to see others.</p>`;
  if (isNarrowed(query))
    return html`<p class="visually-hidden" role="status">${formatCount(itemCount, 'item matches', 'items match')}.</p>`;
  return null;
}

function itemTable(content: ItemListView): Html {
  const { list, query, view, definitions, now, hasAccount } = content;
  const { items, page } = list;
  // The page of an item leads back to this list; without a query to the first page of all items.
  const isFirst = page === 1 && query.order === 'newest' && !isFiltered(query);
  const toHref = itemHrefs(isFirst ? undefined : { ...query, page: page === 1 ? undefined : page });
  const rows = items.map((item) => showLoans(item, hasAccount));
  const hasPictures = items.some(hasPicture);
  const name = view.isCompact ? 'items compact' : 'items';
  return listTable(
    itemColumns(
      { ...view, definitions, now },
      ({ number }) => toHref(number),
      hasPictures ? nameWithPicture : undefined,
    ),
    rows,
    {
      id: 'list',
      class: hasPictures ? `${name} pictures` : name,
      caption: orderName(query, definitions),
      narrow: 'plain',
      sort: (column) => sortLink(column, query, definitions),
    },
  );
}

/** The order of the first click, and the reverse one. Other columns cannot be sorted by. */
const ORDERS_OF: Readonly<Record<string, readonly [one: FixedOrder, other: FixedOrder]>> = {
  name: ['name', '-name'],
  quantity: ['quantity', '-quantity'],
  changed: ['-changed', 'changed'],
  added: ['newest', 'oldest'],
};

function sortLink(column: string, query: ItemQuery, { fields }: Definitions) {
  const field = fields.find(({ name }) => name === column);
  if (field !== undefined) return isSortable(field.kind) ? ownSortLink(field, query) : null;
  const [one, other] = ORDERS_OF[column] ?? [];
  if (one === undefined || other === undefined) return null;
  const current = query.order;
  const order = current === one ? other : one;
  const direction = isDescending(current) ? 'desc' : 'asc';
  const sorted = current === one || current === other ? direction : null;
  return { href: listHref({ ...query, order }), sorted, title: ORDER_NAMES[order] } as const;
}

function ownSortLink(field: OwnField, query: ItemQuery) {
  const { name } = field;
  const current = query.order;
  const order = current === name ? (`-${name}` as const) : name;
  const direction = isDescending(current) ? 'desc' : 'asc';
  const sorted = current === name || current === `-${name}` ? direction : null;
  const title = ownOrderName(field, order);
  return { href: listHref({ ...query, order }), sorted, title } as const;
}

function pagesNav({ page, pageCount }: ItemPage, query: ItemQuery): Html | null {
  const [previousPage, nextPage] =
    query.order === 'newest' && query.search === ''
      ? ['← Newer', 'Older →']
      : ['← Previous', 'Next →'];
  const href = (to: number) => listHref(query, to);
  return pageLinks({ page, pageCount, href, words: { previousPage, nextPage } }).nav;
}
