/** Converts rows of the table `imports` to what their author sees. */
import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { FileColumns } from './file-columns.ts';
import type { PhotoSummary } from './plan-photos.ts';
import { type Counts, emptyPreview, type LeftOut, type Preview } from './plan-summary.ts';
import { type PlannedDefinitions, parsePlanned } from './store-plan.ts';

/** Milliseconds until a preview cannot be confirmed any more. */
const PREVIEW_LIFE = 86_400_000;

export interface Import {
  readonly id: number;
  readonly fileName: string;
  /** SHA-256 of the file, and of the plan that the preview shows. */
  readonly fileHash: string;
  readonly planHash: string;
  /** `columns`: somebody has to say what the columns are. `expired`: not confirmed within a day. */
  readonly state: 'columns' | 'planned' | 'expired' | 'running' | 'done' | 'stopped';
  /** Why the import was stopped; empty otherwise. */
  readonly problem: string;
  readonly at: Date;
  /** The batch of its changes in the history; null before it runs. */
  readonly batch: number | null;
  /** How many rows of each kind the preview has. */
  readonly planned: Counts;
  /** How many rows the import goes through. */
  readonly rows: number;
  readonly done: {
    /** How many of the rows are done. */
    readonly rows: number;
    readonly created: number;
    readonly changed: number;
    /** Rows that were refused meanwhile. */
    readonly left: number;
  };
  /** Rows that were left out as somebody has chosen. */
  readonly leftOut: number;
  /** What was chosen for rows of items that exist. */
  readonly choices: Pick<Selectable<Schema['imports']>, 'here' | 'asked'>;
  readonly columns: FileColumns;
  /** Fields and kinds that it makes, or has made. */
  readonly definitions: PlannedDefinitions;
  /** Null for an import without a zip. */
  readonly photos: PhotoSummary | null;
  /** The first rows of each kind. */
  readonly preview: Preview;
  /** The first rows that were refused while the import ran. */
  readonly refusals: readonly LeftOut[];
}

/** The imports of an account, except files that are still being read. */
export function selectImports(read: Kysely<Schema>, author: number) {
  return read
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', author)
    .where('state', '<>', 'reading');
}

/** Previews from this time or earlier have expired. */
export function expiredAt(now: Date): string {
  return new Date(now.getTime() - PREVIEW_LIFE).toISOString();
}

export function toImport(row: Selectable<Schema['imports']>): Import {
  const { id, problem, batch } = row;
  const planned = {
    ...{ create: row.rows_to_create, change: row.rows_to_change, same: row.rows_unchanged },
    ...{ here: row.rows_here, asked: row.rows_to_ask, doubled: row.rows_doubled },
    refuse: row.rows_refused,
  };
  return {
    ...{ id, problem, batch, planned, state: toState(row) },
    fileName: row.file_name,
    fileHash: row.file_hash,
    planHash: row.plan_hash,
    at: new Date(row.updated_at),
    rows: planned.create + planned.change + planned.here + planned.asked + planned.doubled,
    done: {
      rows: row.rows_done,
      created: row.rows_created,
      changed: row.rows_changed,
      left: row.rows_left,
    },
    leftOut: row.rows_left_out,
    choices: { here: row.here, asked: row.asked },
    columns: JSON.parse(row.columns),
    definitions: parsePlanned(row.fields),
    photos: row.photos === null ? null : JSON.parse(row.photos),
    preview: { ...emptyPreview(), ...JSON.parse(row.preview) },
    refusals: JSON.parse(row.refusals),
  };
}

function toState({ state, updated_at: at }: Selectable<Schema['imports']>): Import['state'] {
  if (state === 'importing') return 'running';
  if (state === 'columns' || state === 'checked') {
    if (at <= expiredAt(new Date())) return 'expired';
    return state === 'checked' ? 'planned' : 'columns';
  }
  // `selectImports` leaves out those that are being read.
  return state === 'reading' ? 'expired' : state;
}
