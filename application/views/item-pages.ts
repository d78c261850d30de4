/** The list of items, one item, and the form of an item. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import type { ItemFields } from '../forms/item-form.ts';
import { action, href, itemHref } from '../links.ts';
import type { Item } from '../models/item.ts';
import type { ItemPage } from '../models/item-list.ts';
import { formatCount, formatNumber, timeElement } from './format.ts';
import { layout, type PagePart, type Viewer } from './layout.ts';

/** The list, the same for everybody who looks at it. */
export function itemListPart({ items, page, pageCount, itemCount }: ItemPage): PagePart {
  const title = page === 1 ? 'Items' : `Items, page ${page} of ${pageCount}`;
  return {
    title,
    section: 'items',
    main: html`<div class="page-head">
<h1>Items <span class="count">${formatCount(itemCount, 'item', 'items')}</span></h1>
<a class="button" href="${href('/items/new')}">Add item</a>
</div>
${items.length === 0 ? emptyList() : itemTable(items)}
${pageCount > 1 ? pageLinks(page, pageCount) : null}`,
  };
}

function emptyList(): Html {
  return html`<p class="empty">Nothing here yet. <a href="${href('/items/new')}">Add the first item</a>.</p>`;
}

function itemTable(items: readonly Item[]): Html {
  return html`<table class="items">
<caption>Newest first</caption>
<thead>
<tr><th scope="col">Name</th><th scope="col" class="number">Quantity</th><th scope="col">Location</th><th scope="col">Tags</th><th scope="col">Changed</th></tr>
</thead>
<tbody>
${items.map(itemRow)}</tbody>
</table>`;
}

function itemRow(item: Item): Html {
  return html`<tr>
<th scope="row"><a href="${itemHref(item.number)}">${item.name}</a></th>
<td data-label="Quantity" class="number">${formatNumber(item.quantity)}</td>
<td data-label="Location">${orDash(item.location)}</td>
<td data-label="Tags">${item.tags.length === 0 ? '–' : tagList(item.tags)}</td>
<td data-label="Changed">${timeElement(item.updatedAt)}</td>
</tr>
`;
}

function tagList(tags: readonly string[]): Html {
  return html`<ul class="tags">${tags.map((tag) => html`<li>${tag}</li>`)}</ul>`;
}

function orDash(text: string): string {
  return text === '' ? '–' : text;
}

function pageLinks(page: number, pageCount: number): Html {
  const link = (to: number, label: string, relation: string) =>
    html`<li><a rel="${relation}" href="${href('/items', {}, { page: to })}">${label}</a></li>`;
  return html`<nav class="pages" aria-label="Pages">
<ul>
${page > 1 ? link(page - 1, '← Newer', 'prev') : null}
<li><span aria-current="page">Page ${page} of ${pageCount}</span></li>
${page < pageCount ? link(page + 1, 'Older →', 'next') : null}
</ul>
</nav>`;
}

export function itemPage(viewer: Viewer, item: Item): Html {
  return layout({
    title: `${item.name} – Items`,
    viewer,
    main: html`<p class="back"><a href="${href('/items')}">← All items</a></p>
<h1>${item.name} <small class="item-number">No. ${item.number}</small></h1>
${item.description === '' ? null : html`<p class="description">${item.description}</p>`}
<dl class="summary">
${row('Quantity', formatNumber(item.quantity))}
${row('Location', orDash(item.location))}
${row('Tags', item.tags.length === 0 ? '–' : tagList(item.tags))}
${row('Added', html`${timeElement(item.createdAt)}${by(item.createdBy)}`)}
${item.version === 1 ? null : row('Changed', html`${timeElement(item.updatedAt)}${by(item.updatedBy)}`)}
</dl>`,
  });
}

function row(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function by(username: string | null): string {
  return username === null ? '' : ` by ${username}`;
}

export interface ItemFormView {
  readonly viewer: Viewer;
  readonly form: FilledForm<ItemFields>;
  readonly errors: readonly FormError<ItemFields>[];
  /** Whether it was typed before the log-in. */
  readonly isDraft: boolean;
}

export function itemFormPage({ viewer, form, errors, isDraft }: ItemFormView): Html {
  return layout({
    title: formTitle('Add an item – Items', errors),
    viewer,
    section: 'new item',
    main: html`${errorSummary(errors)}
<h1>Add an item</h1>
${isDraft ? draftNotice() : null}
<form class="form" method="post" action="${action('/items')}" novalidate>
${onceField(form)}
${form.definition.names.map((name) => formField(form, name, errors))}
<div class="actions"><button>Save item</button> <a href="${href('/items')}">Cancel</a></div>
</form>`,
  });
}

function draftNotice(): Html {
  return html`<div class="notice">
<p>You were logged out when you sent this, so it is <strong>not saved yet</strong>. Everything you typed is here: look it over, and save it.</p>
<form method="post" action="${action('/draft/discard')}"><button class="quiet">Start with an empty form</button></form>
</div>`;
}
