/**
 * The commonest locations and tags, in a column beside the list on a wide screen. On a narrow one it is not shown: the
 * form of the list links to the page with all of them.
 */
import { type Html, html, trustedHtml } from 'seeother';
import type { Awaitable } from 'seeother/middleware';
import { filtersHref, type ListAddress, listHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import type { Facet, FacetList } from './facet-list.ts';
import { oncePerRevision } from './once-per-revision.ts';

export interface CommonNames {
  /** Outermost ones, with the items inside. */
  readonly locations: readonly Facet[];
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
  return html`<section class="facets" aria-label="Locations and tags">
${nameList('Locations', locations, query.location, (location) => ({ ...query, location }))}${nameList('Tags', tags, query.tag, (tag) => ({ ...query, tag }))}<p><a href="${filtersHref(query)}">All locations and tags</a></p>
${isFiltered(query) ? html`<p class="hint">The numbers count all items.</p>\n` : null}</section>
`;
}

function nameList(
  title: string,
  facets: readonly Facet[],
  chosen: string,
  toList: (name: string) => ListAddress,
): Html | null {
  if (facets.length === 0) return null;
  return html`<h2>${title}</h2>
<ul>
${facets.map((facet) => html`<li>${facetLink(toList(facet.name), facet, toFacetKey(chosen) === toFacetKey(facet.name))}</li>\n`)}</ul>
`;
}

export function facetLink(list: ListAddress, { name, items }: Facet, isChosen: boolean): Html {
  const current = isChosen ? trustedHtml(' aria-current="true"') : null;
  return html`<a href="${listHref(list)}"${current}>${name}</a> <span class="count">${formatNumber(items)}</span>`;
}
