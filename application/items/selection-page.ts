/**
 * The list with a checkbox for each item, and one form below it. It is a page of its own, so that the list
 * stays the same for every user and can be cached.
 */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
  onceField,
  trustedHtml,
} from 'seeother';
import { backToList, selectAction, selectHref } from '../links.ts';
import { formatCount, formatNumber } from '../site/format.ts';
import { layout, type Viewer } from '../site/layout.ts';
import { draftNotice } from './item-edit-page.ts';
import type { ItemQuery } from './item-list.ts';
import type { Item } from './item-rows.ts';
import { ROWS, type SelectionFields } from './selection-form.ts';
import { type Suggestions, suggestionLists } from './suggestions.ts';

export interface SelectionView {
  readonly viewer: Viewer;
  /** The list that the user came from. */
  readonly query: ItemQuery;
  readonly page: number;
  readonly items: readonly Item[];
  readonly ticked: ReadonlySet<number>;
  readonly form: FilledForm<SelectionFields>;
  readonly errors: readonly FormError<SelectionFields>[];
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
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
${items.length === 0 ? html`<p class="empty">There is nothing to select here.</p>` : selection(view)}`,
  });
}

function selection({ query, page, items, ticked, form, errors, suggestions }: SelectionView): Html {
  const isAll = items.every(({ number }) => ticked.has(number));
  const other = isAll
    ? html`<a href="${selectHref(query, page)}">Tick none</a>`
    : html`<a href="${selectHref(query, page, true)}">Tick all</a>`;
  return html`<form class="selection" method="post" action="${selectAction(query, page)}" novalidate>
${onceField(form)}
<p class="tools">${formatCount(items.length, 'item', 'items')} on this page. ${other}</p>
<table class="items">
<thead>
<tr><th scope="col" class="pick"><span class="visually-hidden">Ticked</span></th><th scope="col" class="name">Name</th><th scope="col" class="number">Quantity</th><th scope="col" class="location">Location</th><th scope="col" class="tagged">Tags</th></tr>
</thead>
<tbody>
${items.map((item, at) => row(item, ROWS[at] ?? '', ticked.has(item.number)))}</tbody>
</table>
<fieldset class="choices">
<legend>With the ticked items</legend>
<div class="choice-line">${formField(form, 'location', errors)}<button name="button" value="move">Move</button></div>
<div class="choice-line">${formField(form, 'tag', errors)}<div class="actions"><button class="quiet" name="button" value="tag">Add tag</button> <button class="quiet" name="button" value="untag">Remove tag</button></div></div>
<div class="actions"><button class="quiet" name="button" value="delete">Delete</button> <a href="${backToList(query, page)}">Cancel</a></div>
</fieldset>
${suggestionLists(suggestions)}
</form>`;
}

/** The label reaches over the whole row. */
function row({ number, name, quantity, location, tags }: Item, id: string, isTicked: boolean) {
  return html`<tr>
<td class="pick"><input type="checkbox" id="${id}" name="${id}" value="${number}"${isTicked ? trustedHtml(' checked') : null}></td>
<th scope="row"><label for="${id}">${name}</label></th>
<td class="number">${formatNumber(quantity)}</td>
<td class="location">${location}</td>
<td class="tagged">${tags.join(', ')}</td>
</tr>
`;
}
