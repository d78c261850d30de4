/**
 * Stores a plan of an import: the rows to write and those that are refused, in pieces. It counts once it is published.
 * Each plan of an import has positions of its own, so that one can be made while another one is shown.
 */
import { createHash } from 'node:crypto';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Definitions } from '../own-fields/definitions.ts';
import { describeNote } from './cell-note.ts';
import { choicesOf, type FileColumns } from './file-columns.ts';
import { readFileRows } from './file-rows.ts';
import { type NewKind, toKindColumn } from './new-kinds.ts';
import { type NewField, toOwnColumns } from './own-columns.ts';
import { createPhotoPlan, type PhotoSummary, type PlannedPhoto } from './plan-photos.ts';
import type { PlannedRow } from './plan-rows.ts';
import { type Counts, createSummary, type LeftOut, type Preview } from './plan-summary.ts';
import { planTable } from './plan-table.ts';
import type { PhotoZip } from './zip/open-photo-zip.ts';

/** Positions of a plan. */
const PIECES = 1_000_000;

export function positionsOf(plan: number) {
  return { first: plan * PIECES, last: (plan + 1) * PIECES - 1 };
}

/** A row as its piece has it. What was compared is only for the preview. */
export type RowToWrite = WithoutComparison<
  Exclude<PlannedRow, { readonly kind: 'same' | 'refuse' }>
>;
type WithoutComparison<Row> = Row extends unknown ? Omit<Row, 'was' | 'changes'> : never;
/** A piece as text for the database: the rows that may be written. Null if there are none. */
function serializePiece(rows: readonly PlannedRow[]): string | null {
  const toWrite = rows.flatMap((row): readonly RowToWrite[] => {
    if (row.kind === 'same' || row.kind === 'refuse') return [];
    if (!('changes' in row)) return [row];
    const { was: _was, changes: _changes, ...rest } = row;
    return [rest];
  });
  return toWrite.length === 0 ? null : JSON.stringify(toWrite);
}

/** Pieces that are stored in one transaction. */
const MAX_STORED = 10;

/** A field that the import makes. */
export interface PlannedField extends NewField {
  /** By which the values of rows name it. */
  readonly key: string;
  /** Null before it is made. */
  readonly id: number | null;
}

export interface PlannedKind extends NewKind {
  /** Null before it is made. */
  readonly id: number | null;
}

/** What an import makes. The column `fields` has it. */
export interface PlannedDefinitions {
  readonly fields: readonly PlannedField[];
  readonly kinds: readonly PlannedKind[];
}

const NOTHING_PLANNED: PlannedDefinitions = { fields: [], kinds: [] };

/** Of an import that has no plan yet, the column has its default, an empty list. */
export function parsePlanned(text: string): PlannedDefinitions {
  return text === '[]' ? NOTHING_PLANNED : JSON.parse(text);
}

export interface StoredPlan {
  readonly number: number;
  readonly definitions: PlannedDefinitions;
  readonly counts: Counts;
  readonly preview: Preview;
  /** Null without a zip. */
  readonly photos: PhotoSummary | null;
  readonly hash: string;
}

/** The hash covers the file, what its columns are, and all rows of the plan. */
export async function storePlan(
  { read, write }: Database,
  id: number,
  fileHash: string,
  columns: FileColumns,
  known: Definitions,
  onPiece: (counts: Counts) => void,
  zip: PhotoZip | null = null,
): Promise<StoredPlan> {
  const number = await write((transaction) => takePlan(transaction, id));
  const hash = createHash('sha256')
    .update(fileHash)
    .update(JSON.stringify(choicesOf(columns)));
  const { counts, toPreview, add } = createSummary();
  const fields = toOwnColumns(columns, known).flatMap((one): readonly PlannedField[] => {
    if (one?.isNew !== true) return [];
    const { key, kind, label, unit, choices } = one;
    return [{ key, kind, label, unit, choices, id: null }];
  });
  const kinds = (toKindColumn(columns, known)?.made ?? []).map((one) => ({ ...one, id: null }));
  const definitions: PlannedDefinitions = { fields, kinds };
  hash.update(JSON.stringify(definitions));
  const photoPlan = zip === null ? null : createPhotoPlan(zip, columns.header.length > 0);
  let position = positionsOf(number).first;
  let pieces: Schema['import_pieces'][] = [];
  let refusals: Schema['import_refusals'][] = [];
  const store = async () => {
    const [work, refused] = [pieces, refusals];
    [pieces, refusals] = [[], []];
    if (work.length + refused.length === 0) return;
    await write(async (transaction) => {
      if (work.length > 0) await transaction.insertInto('import_pieces').values(work).execute();
      if (refused.length > 0)
        await transaction.insertInto('import_refusals').values(refused).execute();
    });
  };
  const rows = () => readFileRows(read, id, columns.old?.name ?? null);
  for await (const piece of planTable(read, { columns, definitions: known, rows })) {
    add(piece);
    photoPlan?.add(piece);
    const at = { import_id: id, position: position++ };
    const work = serializePiece(piece.rows);
    if (work !== null) pieces.push({ ...at, work });
    const refused = piece.rows.flatMap((row): readonly LeftOut[] => {
      if (row.kind !== 'refuse') return [];
      const { line, name, problems } = row;
      return [{ line, name, problem: problems.map(describeNote).join('; ') }];
    });
    const left = JSON.stringify(refused);
    hash.update(work ?? '').update(left);
    if (refused.length > 0) refusals.push({ ...at, rows: left });
    if (pieces.length + refusals.length >= MAX_STORED) await store();
    onPiece(counts);
  }
  await store();
  let photos: PhotoSummary | null = null;
  if (zip !== null && photoPlan !== null) {
    const planned = await photoPlan.finish(read);
    await storePhotos({ write }, id, positionsOf(number).first, planned.photos);
    hash.update(zip.source.sha256).update(JSON.stringify(planned.photos));
    photos = planned.summary;
  }
  return { number, counts, definitions, preview: toPreview(), photos, hash: hash.digest('hex') };
}

/** Rows in one statement. */
const MAX_PHOTOS = 500;

async function storePhotos(
  { write }: Pick<Database, 'write'>,
  id: number,
  first: number,
  photos: readonly PlannedPhoto[],
): Promise<void> {
  for (let at = 0; at < photos.length; at += MAX_PHOTOS) {
    const rows = photos.slice(at, at + MAX_PHOTOS).map((photo, index) => {
      return { ...photo, import_id: id, position: first + at + index };
    });
    await write((transaction) => transaction.insertInto('import_photos').values(rows).execute());
  }
}

async function takePlan(transaction: KyselyTransaction, id: number): Promise<number> {
  const { plans } = await transaction
    .updateTable('imports')
    .set((row) => ({ plans: row('plans', '+', 1) }))
    .where('id', '=', id)
    .returning('plans')
    .executeTakeFirstOrThrow();
  return plans;
}

/** Makes the plan the one that the preview shows. Resolves to false if the import runs, or has a later plan. */
export async function publishPlan(
  transaction: KyselyTransaction,
  id: number,
  columns: FileColumns,
  { number, counts, definitions, preview, photos, hash }: StoredPlan,
): Promise<boolean> {
  const { create, change, same, here, asked, doubled, refuse } = counts;
  const { numUpdatedRows } = await transaction
    .updateTable('imports')
    .set({ state: 'checked', plan: number, plan_hash: hash, updated_at: new Date().toISOString() })
    .set({ rows_to_create: create, rows_to_change: change, rows_unchanged: same })
    .set({ rows_here: here, rows_to_ask: asked, rows_doubled: doubled, rows_refused: refuse })
    .set({ columns: JSON.stringify(columns), preview: JSON.stringify(preview) })
    .set({ fields: JSON.stringify(definitions) })
    .set({ photos: photos === null ? null : JSON.stringify(photos) })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'columns', 'checked'])
    // A later plan has removed the pieces of this one.
    .where('plan', '<', number)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const table of ['import_pieces', 'import_refusals', 'import_photos'] as const)
    await transaction
      .deleteFrom(table)
      .where('import_id', '=', id)
      .where('position', '<', positionsOf(number).first)
      .execute();
  return true;
}
