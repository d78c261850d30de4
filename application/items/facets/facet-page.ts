/** The page of all tags. */
import { type Html, html } from 'seeother';
import { href, listHref, placesHref, renameHref, tagsHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import type { CountRecord } from '../count-records.ts';
import { toFacetKey } from '../facets.ts';
import { lastCounted } from '../last-counted.ts';
import type { FacetPage, NamedCount } from './facet-list.ts';

export interface TagsView {
  readonly viewer: Viewer;
  readonly page: FacetPage;
  /** The last count of each name, by its key. */
  readonly counts: ReadonlyMap<string, CountRecord>;
  readonly now: Date;
}

export function tagsPage(view: TagsView): Html {
  const { viewer, page } = view;
  const mayChange = mayChangeItems(viewer);
  const next = page.next === null ? null : tagsHref(page.next);
  return layout({
    title: 'Tags – Items',
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items')}">← Items</a></p>
<h1>Tags</h1>
${
  page.names.length === 0
    ? html`<p class="empty">No item has a tag yet.</p>`
    : html`<table class="names">
<caption class="visually-hidden">All tags and the number of their items</caption>
<thead><tr><th scope="col">Name</th><th scope="col" class="number">Items</th>${mayChange ? html`<th scope="col"><span class="visually-hidden">Change</span></th>` : null}</tr></thead>
<tbody>
${page.names.map((one) => row(view, one))}</tbody>
</table>`
}
${next === null ? null : html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${next}">More →</a></li></ul></nav>`}
<p class="export"><a href="${placesHref()}">Places</a></p>`,
  });
}

function row({ viewer, counts, now }: TagsView, { name, items }: NamedCount): Html {
  const count = counts.get(toFacetKey(name));
  return html`<tr>
<th scope="row"><a class="word" href="${listHref({ tag: name })}">${name}</a>${count === undefined ? null : html`<div class="details">${lastCounted(count, now)}</div>`}</th>
<td class="number">${formatNumber(items)}</td>
${mayChangeItems(viewer) ? html`<td class="change"><a class="word" href="${renameHref(name)}">Rename<span class="visually-hidden"> ${name}</span></a></td>\n` : null}</tr>
`;
}
