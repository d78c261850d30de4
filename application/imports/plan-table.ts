/**
 * Plans the import of a table: reads its rows in pieces and compares them with the items. Nothing is written here.
 * A table with numbers is read twice, because the rows without a number are compared with those that have one.
 */
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { createSeen } from './known-items.ts';
import { type FileState, type PlannedRow, planNumbered, planOthers } from './plan-rows.ts';
import type { TableRow } from './raw-table.ts';
import { type CellNote, type Columns, type ReadRow, type RefusedRow, readRow } from './read-row.ts';

/** Rows in a piece. Its items are later written in one transaction, while other writers wait. */
export const PIECE = 50;

export interface SourceTable {
  readonly columns: Columns;
  /** May be called twice. */
  readonly rows: () => AsyncIterable<TableRow>;
}

export interface PlannedPiece {
  readonly rows: readonly PlannedRow[];
  /** What was read how. */
  readonly notices: readonly CellNote[];
}

export async function* planTable(
  read: Kysely<Schema>,
  table: SourceTable,
): AsyncGenerator<PlannedPiece> {
  const state: FileState = { seen: createSeen(), numbered: new Map() };
  const isNumbered = (row: ReadRow | RefusedRow) => !('problems' in row) && row.number !== null;
  if (table.columns.uses.includes('number'))
    for await (const piece of readPieces(table, isNumbered))
      yield toPiece(piece, await planNumbered(read, piece as readonly ReadRow[], state));
  for await (const piece of readPieces(table, (row) => !isNumbered(row)))
    yield toPiece(piece, await planOthers(read, piece, state));
}

function toPiece(
  piece: readonly (ReadRow | RefusedRow)[],
  rows: readonly PlannedRow[],
): PlannedPiece {
  return { rows, notices: piece.flatMap((row) => ('notices' in row ? row.notices : [])) };
}

async function* readPieces(
  { columns, rows }: SourceTable,
  belongs: (row: ReadRow | RefusedRow) => boolean,
): AsyncGenerator<readonly (ReadRow | RefusedRow)[]> {
  let piece: (ReadRow | RefusedRow)[] = [];
  let count = 0;
  for await (const raw of rows()) {
    // SQLite never yields by itself: without this, a large file would block the event loop.
    if (++count % PIECE === 0) await setImmediate();
    const row = readRow(raw, columns);
    if (!belongs(row)) continue;
    piece.push(row);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
