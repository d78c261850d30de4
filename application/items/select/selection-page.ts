/**
 * The list with a checkbox for each item, and a bar at the bottom of the window with what can be done with those that
 * are ticked. It is a page of its own, so that the list stays the same for every user and can be cached.
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
  listTable,
  trustedHtml,
} from 'seeother';
import { backToList, href, selectAction, selectHref } from '../../links.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { formatCount, formatNumber, toDay } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type Suggestions, suggestionList, suggestionLists } from '../facets/suggestions.ts';
import type { ItemPage } from '../item-list.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import type { Item } from '../item-rows.ts';
import { withDays } from '../lend/lend-form.ts';
import { itemColumns } from '../list/item-columns.ts';
import { DEFAULT_VIEW } from '../list/list-view.ts';
import { describeFilters } from '../list/own-filter-text.ts';
import { type Shown, showLoans } from '../loan.ts';
import { MAX_SELECTED } from '../matching-items.ts';
import { writeTicked } from '../ticked-numbers.ts';
import type { Step } from './carry-ticks.ts';
import { ROWS, type SelectionFields } from './selection-form.ts';

export interface SelectionView {
  readonly viewer: Viewer;
  /** The list that the user came from, and its page. */
  readonly query: ItemQuery;
  readonly back: number;
  readonly list: ListedItems;
  /** On all pages. */
  readonly ticked: ReadonlySet<number>;
  /** Whether the list is what is ticked, whatever the query. */
  readonly isTickedOnly: boolean;
  /** How many were not ticked, because there are too many. */
  readonly left: number;
  readonly form: FilledForm<SelectionFields>;
  readonly errors: readonly FormError<SelectionFields>[];
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
  /** Of borrowers, to suggest. */
  readonly names: readonly string[];
  readonly definitions: Definitions;
  readonly now: Date;
}

export type ListedItems = Omit<ItemPage, 'isSearchShortened'>;

export function selectionPage(view: SelectionView): Html {
  const { viewer, query, back, list, form, left, isDraft, now } = view;
  const made = { day: toDay(now), seen: new Date().toISOString() };
  return layout({
    title: formTitle('Select items – Items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${backToList(query, back)}">← Items</a></p>
<h1>Select items</h1>
${isDraft ? draftNotice(viewer) : null}
${left === 0 ? null : html`<div class="notice" role="status"><p>${formatCount(left, 'more item was', 'more items were')} not selected: one form changes at most ${formatNumber(MAX_SELECTED)}. Change these first.</p></div>`}
${formTag(withPage(form, list), formBody(view), { action: selectAction(query, list.page, back, made), class: 'selection' })}`,
  });
}

/** What is ticked belongs to the items of the page, in their order. */
function withPage(form: SelectionView['form'], { items }: ListedItems): SelectionView['form'] {
  const shown = Object.fromEntries(items.map(({ number }, at) => [ROWS[at], String(number)]));
  return { ...form, text: { ...form.text, ...shown } };
}

function formBody(view: SelectionView): Html {
  const { query, back, list, ticked, isTickedOnly } = view;
  const { items } = list;
  const onPage = new Set(items.map(({ number }) => number));
  const others = [...ticked].filter((number) => !onPage.has(number));
  // The query of an address, for the buttons that lead to another page; see carry-ticks.ts.
  const here = selectHref(query, list.page, { show: isTickedOnly ? 'ticked' : undefined, back });
  return html`<input type="hidden" name="ticked" value="${writeTicked(others)}">
<input type="hidden" name="list" value="${here.split('?')[1] ?? ''}">
${search(query)}
<p class="tools">${counts(view, others.length)}</p>
<p class="tools">${buttons(view)}</p>
${
  items.length === 0
    ? html`<p class="empty">There is nothing to select here.</p>`
    : selectionTable(view)
}
${pages(list)}
${items.length === 0 && ticked.size === 0 ? null : bar(view, others.length)}
`;
}

/** A button that keeps what is ticked and typed. */
function stepButton(step: Step | number, label: string): Html {
  return html`<button class="quiet" formmethod="get" formaction="${href('/items/select')}" name="step" value="${step}">${label}</button>`;
}

/** Its button is the first of the form, which Enter in any field presses: that changes nothing; see carry-ticks.ts. */
function search(query: ItemQuery): Html {
  return html`<div class="search" role="search" aria-label="Items to select">
<label for="q">Search items to select</label>
<div class="search-line">
<input type="search" id="q" name="q" value="${query.search}" autocomplete="off" enterkeyhint="search" spellcheck="false">
${stepButton('search', 'Search')}
</div>
</div>`;
}

function counts(view: SelectionView, others: number): Html {
  const { query, list, ticked, isTickedOnly, definitions } = view;
  const { itemCount, isTruncated } = list;
  const words = describeFilters(query, definitions).join(', ');
  const count = `${isTruncated ? 'More than ' : ''}${formatCount(itemCount, 'item', 'items')}`;
  const matching = isFiltered(query)
    ? html`${count} ${itemCount === 1 ? 'matches' : 'match'} <strong>${words}</strong>.`
    : `${count}.`;
  const elsewhere = others === 0 ? '' : `, ${formatNumber(others)} of them on other pages`;
  return html`<span role="status">${isTickedOnly ? null : html`${matching} `}<span data-others="${others}">${formatNumber(ticked.size)} selected${elsewhere}</span>.</span>`;
}

function buttons({ query, list, ticked, isTickedOnly }: SelectionView): Html {
  const { items, itemCount, isTruncated } = list;
  const isAll = items.every(({ number }) => ticked.has(number));
  const canTickMatching = isFiltered(query) && !isTickedOnly && itemCount > items.length;
  const isTooMany = isTruncated || itemCount > MAX_SELECTED;
  const shown = [
    items.length === 0
      ? null
      : isAll
        ? stepButton('none', 'Untick this page')
        : stepButton('all', 'Tick this page'),
    canTickMatching && !isTooMany
      ? stepButton('matching', `Tick all ${formatNumber(itemCount)} that match`)
      : null,
    isTickedOnly ? stepButton('list', 'Show the list') : stepButton('ticked', 'Show the selected'),
    isFiltered(query) && !isTickedOnly ? stepButton('all items', 'Show all items') : null,
    ticked.size === 0 ? null : stepButton('clear', 'Untick all'),
  ];
  return html`${shown.map((button) => (button === null ? null : html`${button}\n`))}${canTickMatching && isTooMany ? `More than ${formatNumber(MAX_SELECTED)} items match, too many for one form.` : null}`;
}

function pages({ page, pageCount }: ListedItems): Html | null {
  if (pageCount === 1) return null;
  return html`<nav class="pages" aria-label="Pages"><ul>
${page === 1 ? null : html`<li>${stepButton(page - 1, '← Previous')}</li>\n`}<li><span>Page ${formatNumber(page)} of ${formatNumber(pageCount)}</span></li>
${page === pageCount ? null : html`<li>${stepButton(page + 1, 'Next →')}</li>\n`}</ul></nav>`;
}

/** On a phone, one line that can be opened. With scripts, the number follows the ticks; see seeother.js. */
function bar(view: SelectionView, others: number): Html {
  const { query, back, ticked, form, suggestions, names, now } = view;
  const open = openChoice(view);
  const choice = (name: Choice, label: string, fields: Html) =>
    html`<details name="choice"${name === open ? OPEN : null}><summary class="button quiet">${label}</summary><div class="choice-fields">${fields}</div></details>`;
  return html`<div class="selection-bar" id="choices" role="group" aria-label="With the selected items">
<p data-others="${others}">${formatNumber(ticked.size)} selected</p>
<details${open === null ? null : OPEN}><summary>Actions</summary>
<div class="actions">
${choice('lend', 'Lend…', html`${formField(form, 'to')}${formField(withDays(form, now), 'term')}${formField(form, 'until')}<div class="actions"><button id="lend" name="button" value="lend">Lend</button> ${stepButton('lend', 'How many of each…')}</div>`)}
<button class="quiet" name="button" value="return">Return</button>
<button class="quiet" name="button" value="count">Count</button>
<button class="quiet" name="button" value="print">Print</button>
<button class="quiet" name="button" value="labels">Labels</button>
${choice('move', 'Move…', html`${formField(form, 'location')}<div class="actions"><button id="move" name="button" value="move">Move</button></div>`)}
${choice('tag', 'Tag…', html`${formField(form, 'tag')}<div class="actions"><button id="add-tag" name="button" value="tag">Add tag</button> <button class="quiet" name="button" value="untag">Remove tag</button></div>`)}
${
  view.definitions.kinds.length + view.definitions.fields.length === 0
    ? null
    : html`${stepButton('field', 'Set a field…')}
`
}<button class="danger" name="button" value="delete">Delete</button>
<a href="${backToList(query, back)}">Cancel</a>
</div>
</details>
</div>
${suggestionLists(suggestions)}
${suggestionList('people', names)}`;
}

type Choice = 'lend' | 'move' | 'tag';
const OPEN = trustedHtml(' open');

/** The fields of an error, or with what was typed before another step; the same order as in carry-ticks.ts. */
function openChoice({ errors: [error], form: { text } }: SelectionView): Choice | null {
  const has = (name: keyof SelectionFields) =>
    error === undefined ? text[name] !== '' : error.field === name;
  if (has('location')) return 'move';
  if (has('tag')) return 'tag';
  return has('to') || has('term') || has('until') ? 'lend' : null;
}

/** The label covers the whole row. */
function selectionTable({ list: { items }, ticked, definitions, now }: SelectionView): Html {
  const ids = new Map(items.map(({ number }, at) => [number, ROWS[at] ?? '']));
  const idOf = ({ number }: Pick<Item, 'number'>) => ids.get(number) ?? '';
  const name = (item: Shown<Item>) => html`<label for="${idOf(item)}">${item.name}</label>`;
  const rows = items.map((item) => showLoans(item, true));
  return listTable(
    itemColumns({ columns: DEFAULT_VIEW.columns, definitions, now }, () => null, name),
    rows,
    {
      class: 'items',
      narrow: 'plain',
      tick: {
        label: 'Ticked',
        draw: (item) =>
          html`<input type="checkbox" id="${idOf(item)}" name="${idOf(item)}" value="${item.number}"${ticked.has(item.number) ? CHECKED : null}>`,
      },
    },
  );
}

const CHECKED = trustedHtml(' checked');
