/** Shows all locations and all tags. */
import { type Handler, page } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { CountRecords } from '../count-records.ts';
import type { FacetField } from '../facets.ts';
import type { FacetList } from './facet-list.ts';
import { facetsPage } from './facet-page.ts';

/** Names on a page. */
const PAGE_SIZE = 200;

export interface FacetOptions {
  readonly facetList: FacetList;
  readonly countRecords: Pick<CountRecords, 'lastOfAll'>;
  readonly now: () => Date;
}

export function createFacetController({ facetList, countRecords, now }: FacetOptions) {
  const showFacets =
    (field: FacetField): Handler<PageContext> =>
    async (context) => {
      const after = context.request.query.get('after')?.replaceAll('\0', '');
      const { names, next } = await facetList.page(field, PAGE_SIZE, after);
      const listed = field === 'location' ? await facetList.withParents(names, after) : names;
      const viewer = toViewer(context);
      const counted = viewer === null ? [] : listed.map(({ name }) => name);
      const counts = await countRecords.lastOfAll(field, counted);
      const view = { viewer, field, page: { names: listed, next }, counts, now: now() };
      return page(facetsPage(view));
    };

  return { showLocations: showFacets('location'), showTags: showFacets('tag') };
}
