/**
 * The table of an outbox: a row is a job that is still to be carried out, or has failed for good. A process takes a
 * job by a lease: it sets `due_at` to the end of the lease. So the job of a killed process becomes due again by itself.
 * A `due_at` of null marks a failed job.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, Database, WriteTransaction } from './database.ts';
import { createTable, toPlaceholders } from './tables.ts';

/** A job that was taken. */
export interface TakenJob {
  readonly id: string;
  readonly name: string;
  readonly payload: string;
  /** This one included. Also tells whether a later process has taken the job. */
  readonly attempts: number;
}

/** A job whose last attempt has failed. */
export interface FailedJob {
  /** The `key` of its attempts. */
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly attempts: number;
  /** The message of the last error. */
  readonly error: string;
  readonly createdAt: Date;
}

export interface OutboxTable {
  readonly add: (transaction: WriteTransaction, name: string, payload: string) => Promise<void>;
  /** When a job is due, or null without one. */
  readonly findNextDue: () => Promise<number | null>;
  /** Takes up to `count` jobs that are due at `now`, until `leaseEnd`. */
  readonly take: (
    count: number,
    now: number,
    leaseEnd: number,
  ) => Promise<{
    readonly jobs: readonly TakenJob[];
    /** Their last attempt did not end: without this, a job that ends its process would do so forever. */
    readonly abandoned: readonly TakenJob[];
  }>;
  readonly remove: (id: string) => Promise<boolean>;
  /** With null for `dueAt`, there is no further attempt. */
  readonly postpone: (job: TakenJob, dueAt: number | null, error: string) => Promise<boolean>;
  readonly listFailed: () => Promise<readonly FailedJob[]>;
  readonly retry: (id: string, now: number) => Promise<boolean>;
}

/** Failed jobs in the list. */
const MAX_FAILED = 100;
const ABANDONED =
  'The process ended during the last attempt, or could not reach the database after it.';

/** `names` are the jobs that this program can carry out; others are left to other versions of it. */
export function createOutboxTable(
  database: Database,
  names: readonly string[],
  maxAttempts: number,
  existing: string | null,
): OutboxTable {
  const table = existing ?? 'seeother_outbox';
  const sql = (text: string) => toPlaceholders(database, text);
  const known = `name in (${names.map(() => '?').join()})`;
  const insert = sql(
    `insert into ${table} (id, name, payload, attempts, due_at, error, created_at) values (?, ?, ?, 0, ?, '', ?)`,
  );
  const selectDue = sql(`select due_at from ${table} where due_at is not null and ${known}
    order by due_at limit 1`);
  // PostgreSQL might run a subquery several times, and would take more jobs than asked for.
  const takeDue = sql(`with due as materialized (select id from ${table}
      where due_at <= ? and ${known} order by due_at limit ?
      ${database.engine === 'postgres' ? 'for update skip locked' : ''})
    update ${table} set attempts = attempts + 1, due_at = ? where id in (select id from due)
    returning id, name, payload, attempts`);
  const endLast = sql(`update ${table} set due_at = null, error = ?
    where due_at <= ? and ${known} and attempts >= ? returning id, name, payload, attempts`);
  const deleteOne = sql(`delete from ${table} where id = ?`);
  const setDue = sql(
    `update ${table} set due_at = ?, error = ? where id = ? and attempts = ? and due_at is not null`,
  );
  const selectFailed = `select id, name, payload, attempts, error, created_at from ${table}
    where due_at is null order by created_at desc limit ${MAX_FAILED}`;
  const restart = sql(
    `update ${table} set due_at = ?, attempts = 0 where id = ? and due_at is null`,
  );

  const prepare = existing === null ? createTable(database, CREATE) : async () => {};
  const write = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    await prepare();
    return database.write(work);
  };
  const change = (statement: string, ...values: (string | number | null)[]): Promise<boolean> =>
    write(async ({ run }) => (await run(statement, values)).changes > 0);
  const read = async <Row>(
    statement: string,
    values: readonly string[],
  ): Promise<readonly Row[]> => {
    await prepare();
    return (await database.read.run<Row>(statement, values)).rows;
  };

  return {
    async add(transaction, name, payload) {
      await prepare(transaction);
      const now = toText(Date.now());
      await transaction.run(insert, [randomUUID(), name, payload, now, now]);
    },
    async findNextDue() {
      const [row] = await read<{ readonly due_at: string }>(selectDue, names);
      return row === undefined ? null : Date.parse(row.due_at);
    },
    take: (count, now, leaseEnd) =>
      write(async ({ run }) => {
        const due = [toText(now), ...names];
        const abandoned = await run<TakenJob>(endLast, [ABANDONED, ...due, maxAttempts]);
        const jobs = await run<TakenJob>(takeDue, [...due, count, toText(leaseEnd)]);
        return { jobs: jobs.rows, abandoned: abandoned.rows };
      }),
    remove: (id) => change(deleteOne, id),
    postpone: ({ id, attempts }, dueAt, error) =>
      change(setDue, dueAt === null ? null : toText(dueAt), error, id, attempts),
    async listFailed() {
      const rows = await read<FailedRow>(selectFailed, []);
      return rows.map(({ payload, created_at, ...row }) => ({
        ...row,
        payload: JSON.parse(payload),
        createdAt: new Date(created_at),
      }));
    },
    retry: (id, now) => change(restart, toText(now), id),
  };
}

interface FailedRow extends Omit<FailedJob, 'payload' | 'createdAt'> {
  readonly payload: string;
  readonly created_at: string;
}

const CREATE = [
  `create table if not exists seeother_outbox (id text primary key, name text not null,
    payload text not null, attempts integer not null, due_at text, error text not null,
    created_at text not null)`,
  'create index if not exists seeother_outbox_by_due on seeother_outbox (due_at)',
];

/** Sorts like the time. */
function toText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
