/**
 * The list as a CSV file: all its pages, with the same filter and order. The file is written as fast as the client
 * reads it; limits.ts limits how many run at once, and for how long.
 */
import { type Handler, type Response, withHeader } from 'seeother';
import type { PageContext } from '../../site/contexts.ts';
import { readItemQuery } from '../read-item-query.ts';
import { BYTE_ORDER_MARK, csvHeader, csvLines } from './csv.ts';
import type { Batches, ExportItems } from './item-export.ts';

export function createExportController(exportItems: ExportItems) {
  const showCsv: Handler<PageContext> = async ({ request }) =>
    csv(toCsv(await exportItems(readItemQuery(request.query))));
  return { showCsv };
}

async function* toCsv(batches: Batches): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + csvHeader());
  for await (const items of batches) yield Buffer.from(csvLines(items));
}

function csv(body: AsyncIterable<Uint8Array>): Response {
  const headers = { 'Content-Type': 'text/csv; charset=utf-8' };
  const answer = { status: 200, headers, body };
  return withHeader(answer, 'Content-Disposition', 'attachment; filename="items.csv"');
}
