/** Shows all tags. */
import { type Handler, page } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { CountRecords } from '../count-records.ts';
import type { FacetList } from './facet-list.ts';
import { tagsPage } from './facet-page.ts';

/** Names on a page. */
const PAGE_SIZE = 200;

export interface FacetOptions {
  readonly facetList: FacetList;
  readonly countRecords: Pick<CountRecords, 'lastOfAll'>;
  readonly now: () => Date;
}

export function createFacetController({ facetList, countRecords, now }: FacetOptions) {
  const showTags: Handler<PageContext> = async (context) => {
    const after = context.request.query.get('after')?.replaceAll('\0', '');
    const tags = await facetList.page('tag', PAGE_SIZE, after);
    const viewer = toViewer(context);
    const counted = viewer === null ? [] : tags.names.map(({ name }) => name);
    const counts = await countRecords.lastOfAll('tag', counted);
    return page(tagsPage({ viewer, page: tags, counts, now: now() }));
  };

  return { showTags };
}
