/**
 * The list with a checkbox for each item, and one form below it. It is a page of its own, so that the list
 * stays the same for every user and can be cached.
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
  trustedHtml,
} from 'seeother';
import { backToList, selectAction, selectHref } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type Suggestions, suggestionLists } from '../facets/suggestions.ts';
import type { ItemQuery } from '../item-list.ts';
import type { Item } from '../item-rows.ts';
import { MAX_MATCHING, type MatchingItems } from '../matching-items.ts';
import { ROWS, type SelectionFields } from './selection-form.ts';

export interface SelectionView {
  readonly viewer: Viewer;
  /** The list that the user came from. */
  readonly query: ItemQuery;
  readonly page: number;
  readonly items: readonly Item[];
  readonly selection: Ticked | AllMatching;
  readonly form: FilledForm<SelectionFields>;
  readonly errors: readonly FormError<SelectionFields>[];
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
}

export interface Ticked {
  readonly ticked: ReadonlySet<number>;
  /** How many items match the filter: null without one. */
  readonly matchCount: number | null;
}

export interface AllMatching {
  readonly matching: MatchingItems;
}

export function selectionPage(view: SelectionView): Html {
  const { viewer, query, page, items, errors, isDraft } = view;
  return layout({
    title: formTitle('Select items – Items', errors),
    viewer,
    section: 'items',
    main: html`${errorSummary(errors)}
<p class="back"><a href="${backToList(query, page)}">← Items</a></p>
<h1>Select items</h1>
${isDraft ? draftNotice() : null}
${items.length === 0 ? html`<p class="empty">There is nothing to select here.</p>` : selectionForm(view)}`,
  });
}

function selectionForm(view: SelectionView): Html {
  const { query, page, items, selection, form } = view;
  const isMatching = 'matching' in selection;
  const target = selectAction(query, page, isMatching ? 'matching' : undefined);
  return formTag(
    form,
    html`${isMatching ? matchingItems(view, selection) : tickedItems(view, selection)}
<tbody>
${items.map((item, at) => row(item, isMatching ? null : { id: ROWS[at] ?? '', isTicked: selection.ticked.has(item.number) }))}</tbody>
</table>
${choices(view)}
`,
    { action: target, class: 'selection' },
  );
}

function tickedItems({ query, page, items }: SelectionView, { ticked, matchCount }: Ticked): Html {
  const isAll = items.every(({ number }) => ticked.has(number));
  const other = isAll
    ? html`<a href="${selectHref(query, page)}">Tick none</a>`
    : html`<a href="${selectHref(query, page, 'all')}">Tick all</a>`;
  return html`<p class="tools">${formatCount(items.length, 'item', 'items')} on this page. ${other}${matchCount === null || matchCount <= items.length ? null : html` ${allMatching(query, matchCount)}`}</p>
<table class="items">
<thead>
<tr><th scope="col" class="pick"><span class="visually-hidden">Ticked</span></th>${COLUMNS}</tr>
</thead>`;
}

function allMatching(query: ItemQuery, count: number): Html {
  return count > MAX_MATCHING
    ? html`More than ${formatNumber(MAX_MATCHING)} items match, too many for one form.`
    : html`<a href="${selectHref(query, 1, 'matching')}">Select all ${formatCount(count, 'item', 'items')} that match</a>`;
}

function matchingItems({ query, items }: SelectionView, { matching }: AllMatching): Html {
  const { numbers, hash } = matching;
  const rest = numbers.length - items.length;
  return html`<input type="hidden" name="matching" value="${hash}">
<p class="tools">All ${formatCount(numbers.length, 'item', 'items')} that match ${numbers.length === 1 ? 'is' : 'are'} selected${rest > 0 ? html`, including ${formatNumber(rest)} that are not on this page` : null}. <a href="${selectHref(query)}">Select single items</a></p>
<table class="items">
<thead>
<tr>${COLUMNS}</tr>
</thead>`;
}

const COLUMNS = html`<th scope="col" class="name">Name</th><th scope="col" class="number">Quantity</th><th scope="col" class="location">Location</th><th scope="col" class="tagged">Tags</th>`;

function choices({ query, page, selection, form, errors, suggestions }: SelectionView): Html {
  const what =
    'matching' in selection
      ? `all ${formatCount(selection.matching.numbers.length, 'item', 'items')} that match`
      : 'the ticked items';
  return html`<fieldset class="choices">
<legend>With ${what}</legend>
<div class="choice-line">${formField(form, 'location', errors)}<button name="button" value="move">Move</button></div>
<div class="choice-line">${formField(form, 'tag', errors)}<div class="actions"><button class="quiet" name="button" value="tag">Add tag</button> <button class="quiet" name="button" value="untag">Remove tag</button></div></div>
<div class="actions"><button class="quiet" name="button" value="delete">Delete</button> <a href="${backToList(query, page)}">Cancel</a></div>
</fieldset>
${suggestionLists(suggestions)}`;
}

interface Checkbox {
  readonly id: string;
  readonly isTicked: boolean;
}

/** The label covers the whole row. */
function row({ number, name, quantity, location, tags }: Item, checkbox: Checkbox | null) {
  const pick =
    checkbox &&
    html`<td class="pick"><input type="checkbox" id="${checkbox.id}" name="${checkbox.id}" value="${number}"${checkbox.isTicked ? trustedHtml(' checked') : null}></td>\n`;
  return html`<tr>
${pick}<th scope="row">${checkbox === null ? name : html`<label for="${checkbox.id}">${name}</label>`}</th>
<td class="number">${formatNumber(quantity)}</td>
<td class="location">${location}</td>
<td class="tagged">${tags.join(', ')}</td>
</tr>
`;
}
