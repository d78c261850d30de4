/** The table of an outbox: what the statements about its jobs and about its schedules have in common. */
import type { Database, WriteTransaction } from './database.ts';
import { openTable, type Table } from './tables.ts';

export type OutboxRows = Table<WriteTransaction>;

/** A job that was taken. */
export interface TakenJob {
  readonly id: string;
  readonly name: string;
  readonly payload: string;
  /** This one included. Also tells whether a later process has taken the job. */
  readonly attempts: number;
}

/** What stands in `error` while an attempt runs, or after its process has ended. */
export const RUNNING = 'running';
export const RUNNING_ALONE = 'running alone';
export const MARKS: ReadonlySet<string> = new Set([RUNNING, RUNNING_ALONE]);
export const IS_MARKED: string = `error in ('${RUNNING}', '${RUNNING_ALONE}')`;

/** Before the name of a schedule, this is the id and the name of its row. Other ids are UUIDs. */
export const SCHEDULED = 'every:';
export const IS_SCHEDULE: string = `id like '${SCHEDULED}%'`;

/** `existing` is the SQL name of a table of the application. */
export function openOutboxRows(database: Database, existing: string | null): OutboxRows {
  return openTable(database, existing, 'seeother_outbox', (name) => [
    `create table if not exists ${name} (id text primary key, name text not null,
      payload text not null, attempts integer not null, due_at text, error text not null,
      created_at text not null)`,
    `create index if not exists ${name}_by_due on ${name} (due_at)`,
  ]);
}

/** Sorts like the time. */
export function toText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
