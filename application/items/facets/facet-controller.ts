/** Shows all locations and all tags. */
import { type Handler, page } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { FacetField } from '../facets.ts';
import type { FacetList } from './facet-list.ts';
import { facetsPage } from './facet-page.ts';

/** Names on a page. */
const PAGE_SIZE = 200;

export function createFacetController(facetList: FacetList) {
  const showFacets =
    (field: FacetField): Handler<PageContext> =>
    async (context) => {
      const after = context.request.query.get('after')?.replaceAll('\0', '');
      const { names, next } = await facetList.page(field, PAGE_SIZE, after);
      const listed = field === 'location' ? await facetList.withParents(names, after) : names;
      return page(facetsPage({ viewer: toViewer(context), field, page: { names: listed, next } }));
    };

  return { showLocations: showFacets('location'), showTags: showFacets('tag') };
}
