/**
 * Stores the plan of a file: the rows to write, in pieces, and what the preview shows. The import is invisible
 * until it is published.
 */
import { createHash } from 'node:crypto';
import { nextNumber } from '../database/counter.ts';
import type { Database, Writing } from '../database/kysely.ts';
import { serializePiece } from './import-step.ts';
import { type Counts, createSummary, planFile } from './plan-file.ts';

/** Pieces that are stored in one transaction. */
const MAX_STORED = 10;

export interface ImportFile {
  readonly name: string;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export async function insertImport(
  transaction: Writing,
  { name, sha256 }: ImportFile,
  author: number,
): Promise<number> {
  const id = await nextNumber(transaction, 'imports');
  const now = new Date().toISOString();
  await transaction
    .insertInto('imports')
    .values({
      ...{ id, account_id: author, file_name: name, file_hash: sha256, plan_hash: '' },
      ...{ state: 'reading', problem: '' },
      ...{ created_at: now, updated_at: now, preview: '{}', refusals: '[]' },
    })
    .execute();
  return id;
}

/** The hash of the plan covers the file and all its rows, also the refused ones. */
export async function storePlan(
  { read, write }: Database,
  id: number,
  { sha256, chunks }: ImportFile,
  onPiece: (counts: Counts) => void,
): Promise<void> {
  const hash = createHash('sha256').update(sha256);
  const { counts, preview, add } = createSummary();
  let stored = 0;
  let pieces: { readonly import_id: number; readonly position: number; readonly work: string }[] =
    [];
  const store = async () => {
    const values = pieces;
    pieces = [];
    if (values.length > 0)
      await write((transaction) =>
        transaction.insertInto('import_pieces').values(values).execute(),
      );
  };
  for await (const rows of planFile(read, chunks)) {
    add(rows);
    hash.update(JSON.stringify(rows));
    const work = serializePiece(rows);
    if (work !== null) pieces.push({ import_id: id, position: stored++, work });
    if (pieces.length >= MAX_STORED) await store();
    onPiece(counts);
  }
  await store();
  const { create, change, same, refuse } = counts;
  // A hash ends once, and a transaction may be repeated.
  const planHash = hash.digest('hex');
  await write((transaction) =>
    transaction
      .updateTable('imports')
      .set({ rows_to_create: create, rows_to_change: change })
      .set({ rows_unchanged: same, rows_refused: refuse })
      .set({ plan_hash: planHash, preview: JSON.stringify(preview) })
      .where('id', '=', id)
      .execute(),
  );
}
