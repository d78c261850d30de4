/** Converts rows of the table `imports` to what their author sees. */
import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Counts, Preview } from './plan-file.ts';
import type { RefusedRow } from './read-rows.ts';

/** Milliseconds until a preview cannot be confirmed any more. */
const PREVIEW_LIFE = 86_400_000;

export interface Import {
  readonly id: number;
  readonly fileName: string;
  /** SHA-256 of the file, and of the plan that the preview shows. */
  readonly fileHash: string;
  readonly planHash: string;
  /** `expired`: not confirmed within a day. */
  readonly state: 'planned' | 'expired' | 'running' | 'done' | 'stopped';
  /** Why the import was stopped; empty otherwise. */
  readonly problem: string;
  readonly at: Date;
  /** The batch of its changes in the history; null before it runs. */
  readonly batch: number | null;
  /** How many rows of each kind the preview has. */
  readonly planned: Counts;
  readonly done: {
    /** How many of the rows to write are done. */
    readonly rows: number;
    readonly created: number;
    readonly changed: number;
    readonly left: number;
  };
}

/** An import with the rows that its page shows. */
export interface ImportWithRows extends Import {
  readonly preview: Preview;
  /** The first rows that were refused while the import ran. */
  readonly refusals: readonly RefusedRow[];
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
  const { id, state, problem, batch } = row;
  const isExpired = state === 'planned' && row.updated_at <= expiredAt(new Date());
  return {
    ...{
      id,
      problem,
      batch,
      fileName: row.file_name,
      fileHash: row.file_hash,
      planHash: row.plan_hash,
    },
    // `selectImports` leaves out those that are being read.
    state: isExpired ? 'expired' : (state as Exclude<typeof state, 'reading'>),
    at: new Date(row.updated_at),
    planned: {
      create: row.rows_to_create,
      change: row.rows_to_change,
      same: row.rows_unchanged,
      refuse: row.rows_refused,
    },
    done: {
      rows: row.rows_done,
      created: row.rows_created,
      changed: row.rows_changed,
      left: row.rows_left,
    },
  };
}
