/**
 * The rows of a file in the database, as they were read: their columns can be chosen, and chosen again, without
 * another upload. They are deleted with the import.
 */
import type { Kysely } from 'kysely';
import { decodeRow, type Encoding, type TableRow } from 'seeother/tables';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';

/** A piece has so many rows, or a row more than so many characters. */
const MAX_ROWS = 200;
const MAX_LENGTH = 200_000;
/** Pieces that are stored in one transaction. */
const MAX_STORED = 10;

/** `each` gets every row. */
export async function storeFileRows(
  { write }: Pick<Database, 'write'>,
  id: number,
  rows: AsyncIterable<TableRow>,
  each: (row: TableRow) => void,
): Promise<void> {
  let pieces: Schema['import_rows'][] = [];
  let position = 0;
  let piece: TableRow[] = [];
  let length = 0;
  const endPiece = () => {
    if (piece.length === 0) return;
    pieces.push({ import_id: id, position: position++, rows: JSON.stringify(piece) });
    piece = [];
    length = 0;
  };
  const store = async () => {
    const values = pieces;
    pieces = [];
    if (values.length > 0)
      await write((transaction) => transaction.insertInto('import_rows').values(values).execute());
  };
  for await (const row of rows) {
    each(row);
    piece.push(row);
    length += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (piece.length >= MAX_ROWS || length > MAX_LENGTH) endPiece();
    if (pieces.length >= MAX_STORED) await store();
  }
  endPiece();
  await store();
}

/** `encoding` is null for a file in UTF-8. */
export async function* readFileRows(
  read: Kysely<Schema>,
  id: number,
  encoding: Encoding | null,
): AsyncGenerator<TableRow> {
  // A removed value takes its piece with it.
  for (let next = 0; ; ) {
    const piece = await read
      .selectFrom('import_rows')
      .select(['position', 'rows'])
      .where('import_id', '=', id)
      .where('position', '>=', next)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    if (piece === undefined) return;
    next = piece.position + 1;
    for (const row of JSON.parse(piece.rows) as readonly TableRow[]) yield decodeRow(row, encoding);
  }
}
