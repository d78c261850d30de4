/**
 * The commonest locations and tags, in a column beside the list on a wide screen: of the location that is chosen,
 * what is inside it, too. On a narrow screen it is not shown: the form of the list links to the page with all of them.
 */
import { type Html, html, trustedHtml } from 'seeother';
import type { Awaitable } from 'seeother/middleware';
import { filtersHref, type ListAddress, listHref } from '../../links.ts';
import { compareNames } from '../../site/fold-text.ts';
import { formatNumber } from '../../site/format.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import type { Facet, FacetList } from './facet-list.ts';
import { isIn, type LocationNode } from './location-tree.ts';
import { oncePerRevision } from './once-per-revision.ts';

export interface CommonNames {
  /** Outermost ones, with the items inside. */
  readonly locations: readonly LocationNode[];
  readonly tags: readonly Facet[];
}

/** Of each kind. */
const MAX_COMMON = 8;

export function createCommonNames(
  facetList: Pick<FacetList, 'mostUsed' | 'outermost'>,
  items: Pick<Items, 'revision'>,
): () => Awaitable<CommonNames> {
  return oncePerRevision(items, { locations: [], tags: [] }, async () => ({
    locations: await facetList.outermost(MAX_COMMON),
    tags: await facetList.mostUsed('tag', MAX_COMMON),
  }));
}

/** Null if no item has a location or a tag. */
export function facetColumn({ locations, tags }: CommonNames, query: ItemQuery): Html | null {
  if (locations.length + tags.length === 0) return null;
  const shown = locations.filter((node, at) => at < MAX_COMMON || isChosen(node, query));
  return html`<section class="facets" aria-label="Locations and tags">
${shown.length === 0 ? null : html`<h2>Locations</h2>\n${locationList(shown.toSorted(byName), query, (node) => isChosen(node, query))}\n`}${tags.length === 0 ? null : html`<h2>Tags</h2>\n${tagList(tags, query)}\n`}<p><a href="${filtersHref(query)}">All locations and tags</a></p>
${isFiltered(query) ? html`<p class="hint">The numbers count all items.</p>\n` : null}</section>
`;
}

/** Whether the location that is chosen is that of the node, or inside it. */
export function isChosen(node: LocationNode, { location }: ItemQuery): boolean {
  return location !== '' && isIn(location, node);
}

/** A tree; what is inside a location is shown if that is open. */
export function locationList(
  level: readonly LocationNode[],
  query: ItemQuery,
  isOpen: (node: LocationNode) => boolean,
): Html {
  return html`<ul>
${level.map((node) => {
  const { location, inside } = node;
  const isCurrent = toFacetKey(query.location) === toFacetKey(location);
  const shown = inside.length > 0 && isOpen(node) ? locationList(inside, query, isOpen) : null;
  return html`<li>${facetLink({ ...query, location }, node, isCurrent)}${shown}</li>\n`;
})}</ul>`;
}

/** By name. */
export function tagList(tags: readonly Facet[], query: ItemQuery): Html {
  return html`<ul>
${tags.toSorted(byName).map((tag) => {
  const isCurrent = toFacetKey(query.tag) === toFacetKey(tag.name);
  return html`<li>${facetLink({ ...query, tag: tag.name }, tag, isCurrent)}</li>\n`;
})}</ul>`;
}

function byName(one: Facet, other: Facet): number {
  return compareNames(one.name, other.name);
}

function facetLink(list: ListAddress, { name, items }: Facet, isCurrent: boolean): Html {
  const current = isCurrent ? trustedHtml(' aria-current="true"') : null;
  return html`<a href="${listHref(list)}"${current}>${name}</a> <span class="count">${formatNumber(items)}</span>`;
}
