/**
 * The list as a CSV file: all its pages, with the same filter and order. The file is written as fast as the client
 * reads it; limits.ts limits how many run at once, and for how long.
 */
import type { Handler } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import type { Item } from '../item-rows.ts';
import { readItemQuery } from '../read-item-query.ts';
import { type FindReferences, itemsCsv } from './csv.ts';
import type { Batches, ExportItems } from './item-export.ts';

interface ExportParts {
  readonly items: Pick<Items, 'definitions' | 'valuesOf'>;
  readonly exportItems: ExportItems;
  readonly findReferences: FindReferences;
}

export function createExportController({ items, exportItems, findReferences }: ExportParts) {
  const showCsv: Handler<PageContext> = async (context) => {
    const hasLoans = seesBorrowers(toViewer(context));
    const batches = await exportItems(readItemQuery(context.request.query, hasLoans));
    const definitions = await items.definitions.read();
    const shown = hasLoans ? batches : withoutLoans(batches);
    return itemsCsv(shown, { findReferences, definitions, valuesOf: items.valuesOf });
  };
  return { showCsv };
}

/** The file of a visitor. */
async function* withoutLoans(batches: Batches): AsyncGenerator<readonly Item[]> {
  for await (const items of batches) yield items.map((item) => ({ ...item, loans: [] }));
}
