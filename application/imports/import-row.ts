/** Rows of the table of imports, as what their author sees. */
import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Counts, Preview } from './plan-file.ts';
import type { RefusedRow } from './read-rows.ts';

/** Milliseconds until a preview cannot be confirmed any more. */
const PREVIEW_LIFE = 86_400_000;

export interface Import {
  readonly id: number;
  readonly fileName: string;
  /** SHA-256 of the file, and of what the preview was made of. */
  readonly fileHash: string;
  readonly planHash: string;
  /** `expired`: it was never confirmed. */
  readonly state: 'planned' | 'expired' | 'running' | 'done' | 'stopped';
  /** Why it was stopped, or empty. */
  readonly problem: string;
  readonly at: Date;
  /** That of its changes in the history; null before it runs. */
  readonly batch: number | null;
  /** Of the preview. */
  readonly planned: Counts;
  readonly done: {
    /** Of the rows to create and to change. */
    readonly rows: number;
    readonly created: number;
    readonly changed: number;
    readonly left: number;
  };
}

/** With what its page shows. */
export interface ImportWithRows extends Import {
  readonly preview: Preview;
  /** The first rows that were refused when they were to be written. */
  readonly refusals: readonly RefusedRow[];
}

/** Those of an account that were read to their end. */
export function selectImports(read: Kysely<Schema>, author: number) {
  return read
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', author)
    .where('state', '<>', 'reading');
}

/** A preview of this time cannot be confirmed any more. */
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
    // One that is being read is never selected.
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
