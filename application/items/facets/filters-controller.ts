/** Handler of the page of filters. Its content is cached like that of the list, until an item changes. */
import { type Handler, page, type Versioned } from 'seeother';
import { filtersHref } from '../../links.ts';
import { cacheFragments } from '../../site/cache-fragments.ts';
import type { PageContext } from '../../site/contexts.ts';
import { layout, toViewer } from '../../site/layout.ts';
import type { ItemQuery } from '../item-query.ts';
import { readItemQuery } from '../read-item-query.ts';
import type { FacetList } from './facet-list.ts';
import { filtersFragment, MAX_LOCATIONS, MAX_TAGS } from './filters-page.ts';

export function createFiltersController(facetList: FacetList) {
  const fragment = cacheFragments({
    read: async (query: ItemQuery) => ({
      query,
      locations: await facetList.page('location', MAX_LOCATIONS),
      tags: await facetList.mostUsed('tag', MAX_TAGS + 1),
    }),
    render: filtersFragment,
    toKey: (query) => filtersHref(query),
  });

  const showFilters: Handler<PageContext & Versioned> = async (context) => {
    const content = await fragment(context.version, readItemQuery(context.request.query));
    return page(layout({ ...content, viewer: toViewer(context) }));
  };
  return { showFilters };
}
