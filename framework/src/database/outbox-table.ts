/**
 * The table of an outbox: a row is a job that is still to be carried out, or has failed for good. A process takes a job
 * by a lease: it sets `due_at` to the end of the lease, and `error` to a mark. So the job of a killed process becomes
 * due again by itself, and the mark tells that its attempt did not end. A `due_at` of null marks a failed job.
 */
import { randomUUID } from 'node:crypto';
import type { Database, WriteTransaction } from './database.ts';
import {
  IS_MARKED,
  IS_SCHEDULE,
  MARKS,
  type OutboxRows,
  RUNNING,
  RUNNING_ALONE,
  type TakenJob,
  toText,
} from './outbox-rows.ts';

/** A job that has been due, and must run beside no other, because its last attempt did not end. */
export interface SuspectJob extends TakenJob {
  /** Whether that attempt was beside no other, too. */
  readonly wasAlone: boolean;
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
  /** When the first and the last job are due, or null without one. Schedules that wait do not count as the last. */
  readonly findDue: () => Promise<{
    readonly first: number;
    readonly last: number | null;
    readonly isFirstSuspect: boolean;
  } | null>;
  /** Makes jobs that are due later than `latest`, as a clock that was wrong leaves them, due at `dueAt`. */
  readonly bringForward: (latest: number, dueAt: number) => Promise<boolean>;
  /** Takes jobs that are due at `now`, until `leaseEnd`: a suspect one if `isIdle`, or else up to `count` others. */
  readonly take: (
    count: number,
    isIdle: boolean,
    now: number,
    leaseEnd: number,
  ) => Promise<{
    readonly suspect: SuspectJob | null;
    readonly jobs: readonly TakenJob[];
    /** Their last attempt did not end, and was beside no other job. */
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
  'The process ended during the last attempt, beside no other job, or could not reach the database after it.';

/** `names` are the jobs that this program can carry out; others are left to other versions of it. */
export function createOutboxTable(
  { engine }: Pick<Database, 'engine'>,
  { name: table, prepare, read, write }: OutboxRows,
  names: readonly string[],
  maxAttempts: number,
): OutboxTable {
  const known = `name in (${names.map(() => '?').join()})`;
  const insert = `insert into ${table} (id, name, payload, attempts, due_at, error, created_at) values (?, ?, ?, 0, ?, '', ?)`;
  const isDue = `due_at <= ? and ${known}`;
  // A schedule that waits may be due much later, and has no last attempt.
  const isPlanned = `(${IS_SCHEDULE} and not ${IS_MARKED})`;
  const locked = engine === 'postgres' ? 'for update skip locked' : '';
  const select = `select due_at, error from ${table} where due_at is not null and ${known}`;
  const selectFirst = `${select} order by due_at limit 1`;
  const selectLast = `${select} and not ${isPlanned} order by due_at desc limit 1`;
  const selectSuspect = `select id, name, payload, attempts, error from ${table}
    where ${isDue} and ${IS_MARKED} order by due_at limit 1 ${locked}`;
  const takeSuspect = `update ${table} set attempts = attempts + 1, due_at = ?,
    error = '${RUNNING_ALONE}' where id = ?`;
  // PostgreSQL might run a subquery several times, and would take more jobs than asked for.
  const takeDue = `with due as materialized (select id from ${table}
      where ${isDue} and not ${IS_MARKED} order by due_at limit ? ${locked})
    update ${table} set attempts = attempts + 1, due_at = ?, error = '${RUNNING}'
    where id in (select id from due) returning id, name, payload, attempts`;
  const endLast = `update ${table} set due_at = null, error = ?
    where ${isDue} and attempts >= ? and error <> '${RUNNING}' and not ${isPlanned}
    returning id, name, payload, attempts`;
  const setEarlier = `update ${table} set due_at = ? where due_at > ? and ${known}
    and not ${isPlanned}`;
  const deleteOne = `delete from ${table} where id = ? and not ${IS_SCHEDULE}`;
  const setDue = `update ${table} set due_at = ?, error = ? where id = ? and attempts = ? and due_at is not null`;
  const selectFailed = `select id, name, payload, attempts, error, created_at from ${table}
    where due_at is null and not ${isPlanned} order by created_at desc limit ${MAX_FAILED}`;
  const restart = `update ${table} set due_at = ?, attempts = 0 where id = ? and due_at is null`;

  const change = (statement: string, ...values: (string | number | null)[]): Promise<boolean> =>
    write(async ({ run }) => (await run(statement, values)).changes > 0);

  return {
    async add(transaction, name, payload) {
      await prepare(transaction);
      const now = toText(Date.now());
      await transaction.run(insert, [randomUUID(), name, payload, now, now]);
    },
    async findDue() {
      const [first] = await read<DueRow>(selectFirst, names);
      if (first === undefined) return null;
      const [last] = await read<DueRow>(selectLast, names);
      return {
        first: Date.parse(first.due_at),
        last: last === undefined ? null : Date.parse(last.due_at),
        isFirstSuspect: MARKS.has(first.error),
      };
    },
    bringForward: (latest, dueAt) => change(setEarlier, toText(dueAt), toText(latest), ...names),
    take: (count, isIdle, now, leaseEnd) =>
      write(async ({ run }) => {
        const due = [toText(now), ...names];
        const abandoned = (await run<TakenJob>(endLast, [ABANDONED, ...due, maxAttempts])).rows;
        const suspect = isIdle ? (await run<SuspectRow>(selectSuspect, due)).rows[0] : undefined;
        if (suspect !== undefined) {
          await run(takeSuspect, [toText(leaseEnd), suspect.id]);
          return { suspect: toSuspect(suspect), jobs: [], abandoned };
        }
        const { rows } = await run<TakenJob>(takeDue, [...due, count, toText(leaseEnd)]);
        return { suspect: null, jobs: rows, abandoned };
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

interface DueRow {
  readonly due_at: string;
  readonly error: string;
}

interface SuspectRow extends TakenJob {
  readonly error: string;
}

function toSuspect({ error, attempts, ...job }: SuspectRow): SuspectJob {
  return { ...job, attempts: attempts + 1, wasAlone: error === RUNNING_ALONE };
}

interface FailedRow extends Omit<FailedJob, 'payload' | 'createdAt'> {
  readonly payload: string;
  readonly created_at: string;
}
