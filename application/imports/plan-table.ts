/**
 * Plans the import of a table: reads its rows in pieces and compares them with the items. Nothing is written here.
 * A table with numbers is read twice, because the rows without a number are compared with those that have one.
 */

import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { TableRow } from 'seeother/tables';
import type { Schema } from '../database/schema.ts';
import { isOwnExport } from '../items/export/csv.ts';
import type { Definitions } from '../own-fields/definitions.ts';
import type { CellNote } from './cell-note.ts';
import type { Columns } from './columns.ts';
import { type FileSources, readFileSources } from './file-sources.ts';
import { createSeen } from './known-items.ts';
import { toKindColumn } from './new-kinds.ts';
import { toOwnColumns } from './own-columns.ts';
import { type FileState, type PlannedRow, planNumbered, planOthers } from './plan-rows.ts';
import { createRowReader, type ItemRow, type RefusedRow } from './read-row.ts';

/** Rows in a piece. Its items are later written in one transaction, while other writers wait. */
export const PIECE = 50;
/** Rows that are looked up together. More would block the event loop, and fewer cost more. */
const LOOKED_UP = 4 * PIECE;

export interface SourceTable {
  readonly columns: Columns;
  readonly definitions: Definitions;
  /** May be called twice. */
  readonly rows: () => AsyncIterable<TableRow>;
}

export interface PlannedPiece {
  readonly rows: readonly PlannedRow[];
  /** What was read of each of them. */
  readonly read: readonly (ItemRow | RefusedRow)[];
  /** What was read how. */
  readonly notices: readonly CellNote[];
}

export async function* planTable(
  read: Kysely<Schema>,
  table: SourceTable,
): AsyncGenerator<PlannedPiece> {
  const { columns, rows } = table;
  const sources = await readFileSources(columns, rows);
  const state: FileState = {
    ...{ seen: createSeen(), numbered: new Map(), taken: new Map(), isInFile: sources.has },
    isExport: isOwnExport(columns.header),
    hasTimes: columns.uses.includes('added'),
    definitions: table.definitions,
    own: toOwnColumns(columns, table.definitions).filter((one) => one !== null),
    kinds: toKindColumn(columns, table.definitions)?.made ?? [],
  };
  const isNumbered = (row: ItemRow | RefusedRow) => !('problems' in row) && row.number !== null;
  if (columns.uses.includes('number'))
    for await (const piece of readPieces(table, sources, isNumbered))
      yield* toPieces(piece, await planNumbered(read, piece as readonly ItemRow[], state));
  for await (const piece of readPieces(table, sources, (row) => !isNumbered(row)))
    yield* toPieces(piece, await planOthers(read, piece, state));
}

/** Each row has one plan, in the order of the lines. */
function* toPieces(
  all: readonly (ItemRow | RefusedRow)[],
  planned: readonly PlannedRow[],
): Generator<PlannedPiece> {
  for (let at = 0; at < all.length; at += PIECE) {
    const own = all.slice(at, at + PIECE);
    const notices = own.flatMap((row) => ('notices' in row ? row.notices : []));
    yield { rows: planned.slice(at, at + PIECE), read: own, notices };
  }
}

async function* readPieces(
  { columns, definitions, rows }: SourceTable,
  sources: FileSources,
  belongs: (row: ItemRow | RefusedRow) => boolean,
): AsyncGenerator<readonly (ItemRow | RefusedRow)[]> {
  const readRow = createRowReader(columns, sources, definitions);
  let piece: (ItemRow | RefusedRow)[] = [];
  let count = 0;
  for await (const raw of rows()) {
    // SQLite never yields by itself: without this, a large file would block the event loop.
    if (++count % PIECE === 0) await setImmediate();
    const row = readRow(raw);
    if (!belongs(row)) continue;
    piece.push(row);
    if (piece.length < LOOKED_UP) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
