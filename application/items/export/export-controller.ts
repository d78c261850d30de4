/**
 * The list as a CSV file: all its pages, with the same filter and order. The file is written as fast as the client
 * reads it; limits.ts limits how many run at once, and for how long.
 */
import { type Handler, type Response, withHeader } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { seesBorrowers, toViewer } from '../../site/layout.ts';
import { readItemQuery } from '../read-item-query.ts';
import { BYTE_ORDER_MARK, csvHeader, csvLines } from './csv.ts';
import type { Batches, ExportItems } from './item-export.ts';

export type FindReferences = (
  items: readonly { readonly number: number }[],
) => Promise<ReadonlyMap<number, readonly string[]>>;

export function createExportController(exportItems: ExportItems, findReferences: FindReferences) {
  const showCsv: Handler<PageContext> = async (context) => {
    const hasLoans = seesBorrowers(toViewer(context));
    const batches = await exportItems(readItemQuery(context.request.query, hasLoans));
    return csv(toCsv(batches, findReferences, hasLoans));
  };
  return { showCsv };
}

/** The file of a visitor has no loans. */
async function* toCsv(
  batches: Batches,
  findReferences: FindReferences,
  hasLoans: boolean,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + csvHeader());
  for await (const items of batches) {
    const shown = hasLoans ? items : items.map((item) => ({ ...item, loans: [] }));
    yield Buffer.from(csvLines(shown, await findReferences(items)));
  }
}

function csv(body: AsyncIterable<Uint8Array>): Response {
  const headers = { 'Content-Type': 'text/csv; charset=utf-8' };
  const answer = { status: 200, headers, body };
  return withHeader(answer, 'Content-Disposition', 'attachment; filename="items.csv"');
}
