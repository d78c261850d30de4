/** The list as a page to print: all its pages, with the same filter and order, up to a limit. */
import { type Handler, page } from 'seeother';
import type { Definitions } from '../../own-fields/definitions.ts';
import { originOf } from '../../site/account-link.ts';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import type { Item } from '../item-rows.ts';
import { withOwnColumns } from '../own-columns.ts';
import { readChosenItems, readTicked } from '../ticked-numbers.ts';
import type { ExportItems } from './item-export.ts';
import { MAX_PRINTED, printPage } from './print-page.ts';

const BATCH = 250;

interface PrintParts {
  readonly items: Pick<Items, 'findMany' | 'definitions' | 'valuesOf'>;
  readonly exportItems: ExportItems;
  readonly publicOrigin: string | null;
  readonly now: () => Date;
}

export function createPrintController({ items, exportItems, publicOrigin, now }: PrintParts) {
  const printItems: Handler<PageContext> = async (context) => {
    const { request } = context;
    const viewer = toViewer(context);
    const query = readChosenItems(request.query, seesBorrowers(viewer));
    const ticked = readTicked(query.ticked);
    const chosen: Item[] = [...(await items.findMany(ticked.toReversed()))];
    for await (const batch of ticked.length > 0 ? [] : await exportItems(query)) {
      chosen.push(...batch);
      if (chosen.length > MAX_PRINTED) break;
    }
    const hasMore = chosen.length > MAX_PRINTED;
    const origin = publicOrigin ?? originOf(request);
    const definitions = await items.definitions.read();
    const inList = definitions.fields.filter((field) => field.inList).map(({ name }) => name);
    const printed = await printedValues(chosen.slice(0, MAX_PRINTED), inList, definitions);
    const view = { query, items: printed, hasMore, origin, now: now() };
    return page(printPage({ ...view, viewer, definitions }));
  };
  /** In batches, as the items were read. */
  async function printedValues(
    all: readonly Item[],
    columns: readonly string[],
    known: Definitions,
  ) {
    const printed: Item[] = [];
    for (let at = 0; at < all.length; at += BATCH)
      printed.push(...(await withOwnColumns(items, all.slice(at, at + BATCH), columns, known)));
    return printed;
  }

  return { printItems };
}
