/**
 * The page of filters: all locations and tags with counts, as links to the list that keep its other filters. It
 * is a page of its own, because so many links would make every page of the list longer.
 */
import { type Html, html } from 'seeother';
import { href, type ListAddress, listHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import type { Fragment } from '../../site/layout.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import { isChosen, locationList, tagList } from './facet-column.ts';
import type { Facet, FacetPage } from './facet-list.ts';
import { countNodes, toLocationTree } from './location-tree.ts';

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
  const isSmall = countNodes(tree) <= MAX_OPEN;
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
${tree.length === 0 ? html`<p class="empty">No item has a location.</p>` : locationList(tree, query, (node) => isSmall || isChosen(node, query))}
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
