/**
 * Imports a file in pieces: each is planned, then written in one transaction, so that other writers wait
 * for a piece and not for the file. A changed row is an edit with an event in the history, and can be undone
 * there. An item that somebody changes between the plan and the write is left as it is, and named.
 */
import type { Database, Writing } from '../database/database.ts';
import { editItem } from '../history/change-items.ts';
import { ChangeRefused } from '../history/change-refused.ts';
import type { Items } from '../items/item.ts';
import { type PlannedRow, planRows } from './plan-rows.ts';
import type { ReadRow, RefusedRow } from './read-rows.ts';

/** Rows per transaction. */
const PIECE = 200;

export type Counts = { readonly [Kind in PlannedRow['kind']]: number };

export interface ImportOptions {
  /** The account that the changes belong to. Null plans only, and writes nothing. */
  readonly author: number | null;
  /** Is told of each piece once it is written. */
  readonly onPiece?: (rows: readonly PlannedRow[], counts: Counts) => void;
}

/** Resolves to how many rows there were of each kind. */
export async function importItems(
  database: Pick<Database, 'read' | 'write'>,
  items: Pick<Items, 'create'>,
  rows: AsyncIterable<ReadRow | RefusedRow>,
  { author, onPiece = () => {} }: ImportOptions,
): Promise<Counts> {
  let counts: Counts = { create: 0, change: 0, same: 0, refuse: 0 };
  const take = async (piece: readonly (ReadRow | RefusedRow)[]) => {
    const planned = await planRows(database.read, piece);
    const done =
      author === null
        ? planned
        : await database.write((transaction) => writeRows(transaction, items, planned, author));
    counts = addCounts(counts, done);
    onPiece(done, counts);
  };
  let piece: (ReadRow | RefusedRow)[] = [];
  for await (const row of rows) {
    piece.push(row);
    if (piece.length < PIECE) continue;
    await take(piece);
    piece = [];
  }
  if (piece.length > 0) await take(piece);
  return counts;
}

function addCounts(counts: Counts, rows: readonly PlannedRow[]): Counts {
  const count = (kind: PlannedRow['kind']) =>
    counts[kind] + rows.filter((row) => row.kind === kind).length;
  return {
    create: count('create'),
    change: count('change'),
    same: count('same'),
    refuse: count('refuse'),
  };
}

/** Resolves to the rows, those refused after all with the reason. */
async function writeRows(
  transaction: Writing,
  items: Pick<Items, 'create'>,
  rows: readonly PlannedRow[],
  author: number,
): Promise<readonly PlannedRow[]> {
  const done: PlannedRow[] = [];
  for (const row of rows) {
    if (row.kind === 'create') await items.create(transaction, row.input, author);
    done.push(row.kind === 'change' ? await changeItem(transaction, row, author) : row);
  }
  return done;
}

async function changeItem(
  transaction: Writing,
  row: PlannedRow & { readonly kind: 'change' },
  author: number,
): Promise<PlannedRow> {
  const { line, number, input, version } = row;
  try {
    const isChanged = await editItem(transaction, number, { input, version }, author);
    return isChanged ? row : { kind: 'same', line, number };
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    const why = error.refusal.kind === 'missing' ? 'deleted' : 'changed';
    const problem = `Somebody else has ${why} item ${number} meanwhile. It was left as it is`;
    return { kind: 'refuse', line, problem };
  }
}
