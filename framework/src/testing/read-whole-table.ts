/** Reads a whole file as a table, with headings of an inventory, for tests. */
import { describeReading } from '../tables/describe-reading.ts';
import { decodeRow } from '../tables/encodings.ts';
import { foldHeading } from '../tables/fold-heading.ts';
import type { TableRow } from '../tables/read-records.ts';
import { openTable, type Table } from '../tables/read-table.ts';

const KNOWN: ReadonlySet<string> = new Set(
  'name,bezeichnung,werkzeug,description,quantity,menge,location,lagerort,ort,raum,tags'
    .split(',')
    .map(foldHeading),
);

export function isKnownHeading(heading: string): boolean {
  return KNOWN.has(foldHeading(heading.replace(/[([].*$/, '')));
}

export async function readWholeTable(
  file: string | Uint8Array,
): Promise<Table & { readonly lines: readonly TableRow[] }> {
  const table = await openTable(
    { chunks: () => bytesOf(file) },
    { knows: isKnownHeading, maxColumns: 80 },
  );
  const lines: TableRow[] = [];
  for await (const row of table.rows) lines.push(decodeRow(row, table.old?.name ?? null));
  const loose = lines.filter(({ isLoose }) => isLoose);
  return { ...table, lines, notices: describeReading(table, loose) };
}

/** In chunks that split characters and line ends. */
export async function* bytesOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}
