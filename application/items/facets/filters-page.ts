/**
 * The page of filters: all locations and tags with counts, as links to the list that keep its other filters. It
 * is a page of its own, because so many links would make every page of the list longer.
 */
import { type Html, html } from 'seeother';
import { href, type ListAddress, listHref } from '../../links.ts';
import { compareNames } from '../../site/fold-text.ts';
import { formatNumber } from '../../site/format.ts';
import type { Fragment } from '../../site/layout.ts';
import { toFacetKey } from '../facets.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import { facetLink } from './facet-column.ts';
import type { Facet, FacetPage } from './facet-list.ts';
import { countNodes, isIn, type LocationNode, toLocationTree } from './location-tree.ts';

export interface FiltersView {
  readonly query: ItemQuery;
  /** At most `MAX_LOCATIONS`. */
  readonly locations: FacetPage;
  /** Most items first. One more than `MAX_TAGS` means that there are others. */
  readonly tags: readonly Facet[];
}

export const MAX_LOCATIONS = 2_000;
export const MAX_TAGS = 200;
/** Larger trees are collapsed, except for the branch that the filter selects. */
const MAX_OPEN = 60;

export function filtersFragment({ query, locations, tags }: FiltersView): Fragment {
  const tree = toLocationTree(locations.names);
  return {
    title: 'Filter by location or tag – Items',
    section: 'items',
    main: html`<p class="back"><a href="${listHref(query)}">← ${isFiltered(query) ? 'Matching items' : 'All items'}</a></p>
<h1>Filter by location or tag</h1>
${
  isFiltered(query)
    ? html`<p>The numbers count all items, whether or not they match your other filters.</p>
`
    : null
}<div class="columns halves facets">
<section aria-labelledby="locations">
<h2 id="locations">Location</h2>
${query.location === '' ? null : anyLink({ ...query, location: '' }, 'Any location')}
${tree.length === 0 ? html`<p class="empty">No item has a location.</p>` : locationList(tree, query)}
${locations.next !== null ? html`<p class="hint">These are the first ${formatNumber(MAX_LOCATIONS)} locations. Type any other in the <a href="${href('/items')}">list</a>.</p>` : null}
</section>
<section aria-labelledby="tags">
<h2 id="tags">Tag</h2>
${query.tag === '' ? null : anyLink({ ...query, tag: '' }, 'Any tag')}
${tags.length === 0 ? html`<p class="empty">No item has a tag.</p>` : tagList(tags.slice(0, MAX_TAGS), query)}
${tags.length > MAX_TAGS ? html`<p class="hint">These are the ${formatNumber(MAX_TAGS)} tags with most items. Type any other in the <a href="${href('/items')}">list</a>.</p>` : null}
</section>
</div>`,
  };
}

function anyLink(query: ListAddress, label: string): Html {
  return html`<p><a href="${listHref(query)}">${label}</a></p>`;
}

function locationList(tree: readonly LocationNode[], query: ItemQuery): Html {
  const isOpen = countNodes(tree) <= MAX_OPEN;
  const list = (level: readonly LocationNode[]): Html => html`<ul>
${level.map((node) => {
  const { location, name, items, inside } = node;
  const isOnPath = query.location !== '' && isIn(query.location, node);
  const isChosen = toFacetKey(query.location) === toFacetKey(location);
  const shown = inside.length > 0 && (isOpen || isOnPath) ? list(inside) : null;
  return html`<li>${facetLink({ ...query, location }, { name, items }, isChosen)}${shown}</li>\n`;
})}</ul>`;
  return list(tree);
}

function tagList(tags: readonly Facet[], query: ItemQuery): Html {
  const sorted = tags.toSorted((one, other) => compareNames(one.name, other.name));
  return html`<ul>
${sorted.map((tag) => {
  const isChosen = toFacetKey(query.tag) === toFacetKey(tag.name);
  return html`<li>${facetLink({ ...query, tag: tag.name }, tag, isChosen)}</li>\n`;
})}</ul>`;
}
