/** The list as a page to print: all its pages, with the same filter and order, up to a limit. */
import { type Handler, page } from 'seeother';
import { originOf } from '../../site/account-link.ts';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import type { Item } from '../item-rows.ts';
import { readItemQuery } from '../read-item-query.ts';
import type { ExportItems } from './item-export.ts';
import { MAX_PRINTED, printPage } from './print-page.ts';

interface PrintParts {
  readonly exportItems: ExportItems;
  readonly publicOrigin: string | null;
  readonly now: () => Date;
}

export function createPrintController({ exportItems, publicOrigin, now }: PrintParts) {
  const printItems: Handler<PageContext> = async (context) => {
    const { request } = context;
    const viewer = toViewer(context);
    const query = readItemQuery(request.query, seesBorrowers(viewer));
    const items: Item[] = [];
    for await (const batch of await exportItems(query)) {
      items.push(...batch);
      if (items.length > MAX_PRINTED) break;
    }
    const hasMore = items.length > MAX_PRINTED;
    const origin = publicOrigin ?? originOf(request);
    const view = { query, items: items.slice(0, MAX_PRINTED), hasMore, origin, now: now() };
    return page(printPage({ ...view, viewer }));
  };
  return { printItems };
}
