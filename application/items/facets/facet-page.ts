/** The page of all locations or all tags, and the form to rename one. */
import { type Html, html } from 'seeother';
import { facetsHref, href, listHref, renameHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import type { CountRecord } from '../count-records.ts';
import { type FacetField, toFacetKey } from '../facets.ts';
import { lastCounted } from '../last-counted.ts';
import type { FacetPage, NamedCount } from './facet-list.ts';
import { FACET_NAMES, TITLES } from './facet-names.ts';

export interface FacetsView {
  readonly viewer: Viewer;
  readonly field: FacetField;
  readonly page: FacetPage;
  /** The last count of each name, by its key. */
  readonly counts: ReadonlyMap<string, CountRecord>;
  readonly now: Date;
}

export function facetsPage(view: FacetsView): Html {
  const { viewer, field, page } = view;
  const mayChange = mayChangeItems(viewer);
  const { many } = FACET_NAMES[field];
  const next = page.next === null ? null : facetsHref(field, page.next);
  return layout({
    title: `${TITLES[field]} – Items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items')}">← Items</a></p>
<h1>${TITLES[field]}</h1>
${
  page.names.length === 0
    ? html`<p class="empty">No item has a ${FACET_NAMES[field].one} yet.</p>`
    : html`<table class="names">
<caption class="visually-hidden">All ${many} and the number of their items</caption>
<thead><tr><th scope="col">Name</th><th scope="col" class="number">Items</th>${mayChange ? html`<th scope="col"><span class="visually-hidden">Change</span></th>` : null}</tr></thead>
<tbody>
${page.names.map((one) => row(view, one))}</tbody>
</table>`
}
${next === null ? null : html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${next}">More →</a></li></ul></nav>`}
<p class="export">${field === 'location' ? html`<a href="${facetsHref('tag')}">Tags</a>` : html`<a href="${facetsHref('location')}">Locations</a>`}</p>`,
  });
}

function row({ viewer, field, counts: last, now }: FacetsView, facet: NamedCount): Html {
  const { name, items, inside } = facet;
  const mayChange = mayChangeItems(viewer);
  const count = last.get(toFacetKey(name));
  const list = field === 'location' ? { location: name } : { tag: name };
  const counts = [
    items === 0 ? '' : formatNumber(items),
    inside === 0 ? '' : `${formatNumber(inside)} inside`,
  ];
  return html`<tr>
<th scope="row"><a class="word" href="${listHref(list)}">${name}</a>${count === undefined ? null : html`<div class="details">${lastCounted(count, now)}</div>`}</th>
<td class="number">${counts.filter((count) => count !== '').join(' + ')}</td>
${mayChange ? html`<td class="change"><a class="word" href="${renameHref(field, name)}">Rename<span class="visually-hidden"> ${name}</span></a></td>\n` : null}</tr>
`;
}
