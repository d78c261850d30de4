/**
 * The list as a CSV file: all its pages, with the same filter and order. The file is written as fast as the client
 * reads it.
 */
import { type Handler, type Response, withHeader } from 'seeother';
import type { PageContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { refuseExport, refuseSearch } from '../site/overload.ts';
import { BYTE_ORDER_MARK, csvHeader, csvLines } from './csv.ts';
import type { Batches, ExportItems } from './item-export.ts';
import { readItemQuery } from './read-item-query.ts';
import { SearchQueueFull } from './search-queue.ts';

/** Exports at once per process. Each holds a snapshot, and on PostgreSQL one of five connections for reads. */
const MAX_EXPORTS = 2;
/** Milliseconds. A snapshot keeps SQLite's log from being emptied. */
const MAX_TIME = 900_000;

export function createExportController(exportItems: ExportItems) {
  let running = 0;

  async function* toCsv(batches: Batches): AsyncGenerator<Uint8Array> {
    running++;
    const end = performance.now() + MAX_TIME;
    try {
      yield Buffer.from(BYTE_ORDER_MARK + csvHeader());
      for await (const items of batches) {
        if (performance.now() > end)
          throw new Error(`Cannot finish an export: the client took longer than ${MAX_TIME} ms.`);
        yield Buffer.from(csvLines(items));
      }
    } finally {
      running--;
    }
  }

  const showCsv: Handler<PageContext> = async (context) => {
    const viewer = toViewer(context);
    if (running >= MAX_EXPORTS) return refuseExport(context.request, viewer);
    try {
      return csv(toCsv(await exportItems(readItemQuery(context.request.query))));
    } catch (error) {
      if (!(error instanceof SearchQueueFull)) throw error;
      return refuseSearch(context.request, viewer);
    }
  };
  return { showCsv };
}

function csv(body: AsyncIterable<Uint8Array>): Response {
  const headers = { 'Content-Type': 'text/csv; charset=utf-8' };
  const answer = { status: 200, headers, body };
  return withHeader(answer, 'Content-Disposition', 'attachment; filename="items.csv"');
}
