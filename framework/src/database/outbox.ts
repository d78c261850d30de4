/**
 * Work after the commit: a transactional outbox. A form's transaction adds a job to a table, so the job exists if and
 * only if the form was saved. A job is carried out at least once: if the process ends between the work and the commit
 * that removes the job, another attempt follows, with the same `key`. Jobs have no order.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createPublisher } from '../events/events.ts';
import {
  COUNT,
  checkOptions,
  describeValue,
  FUNCTION,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import { writeReport } from '../middleware/error-report.ts';
import { type Database, DatabaseUnavailable, type WriteTransaction } from './database.ts';
import type { Attempt, Schedule, ScheduledJob } from './job.ts';
import { openOutboxRows, SCHEDULED, type TakenJob } from './outbox-rows.ts';
import { createOutboxTable, type FailedJob, type SuspectJob } from './outbox-table.ts';
import { createScheduleTable, type Run, type ScheduleState } from './schedule-table.ts';
import { watchStart } from './watch-start.ts';

/** Options of `createOutbox`. */
export interface OutboxOptions {
  /** Milliseconds for an attempt: 30,000 by default. The jobs of a killed process wait twice as long. */
  readonly timeout?: number;
  /** Attempts before a job has failed: 25 by default, over about two days. */
  readonly attempts?: number;
  /** Jobs that one process carries out at once: 10 by default. */
  readonly concurrency?: number;
  /** Called for each failed attempt, and when the table cannot be read. Writes to standard error by default. */
  readonly report?: (entry: { readonly message: string; readonly error?: unknown }) => void;
  /** The SQL name of a table of your own, with the columns of `seeother_outbox`. */
  readonly table?: string;
}

const POSITIVE: OptionKind = {
  noun: 'a whole number above 0',
  accepts: (value) => COUNT.accepts(value) && value !== 0,
};
const OUTBOX_KINDS: OptionKinds<OutboxOptions> = {
  timeout: POSITIVE,
  attempts: POSITIVE,
  concurrency: POSITIVE,
  report: FUNCTION,
  table: TEXT,
};

/** A payload as it comes back from JSON. `never` for what does not, such as a Date. */
type Json<T> = T extends bigint | symbol | ((...args: never) => unknown) | { toJSON: unknown }
  ? never
  : T extends object
    ? { readonly [Name in keyof T]: Json<T[Name]> }
    : T;

/** Jobs by name: how to add one, and what carries them out. */
export interface Outbox<Payloads> {
  /** Adds a job in a transaction: `await afterCommit.mail(transaction, { to })`. Schedules are not among them. */
  readonly afterCommit: {
    readonly [Name in keyof Payloads as Payloads[Name] extends Date ? never : Name]: (
      transaction: WriteTransaction,
      payload: Json<Payloads[Name]>,
    ) => Promise<void>;
  };
  /**
   * Begins to carry out jobs: those of this process right after their commit, all others within two seconds. Does not
   * keep the process alive.
   */
  readonly start: () => void;
  /** Begins no further job, and waits for the running ones. Call it before `database.close`. */
  readonly stop: () => Promise<void>;
  /**
   * Carries out all jobs that are due, without `start`: for tests, and programs that run from time to time. The first
   * call finds the next times of the schedules; a later one runs those that have come.
   */
  readonly run: (now?: Date) => Promise<void>;
  /** The schedules that `start` or `run` has found times for. */
  readonly schedules: () => Promise<readonly ScheduleState[]>;
  /** The dead letters: jobs that are tried no more. The newest come first, at most 100. */
  readonly failed: () => Promise<readonly FailedJob[]>;
  /** Tries a failed job again, from its first attempt. False if there is none. */
  readonly retry: (id: string) => Promise<boolean>;
  /** Deletes a job. False if there is none. */
  readonly discard: (id: string) => Promise<boolean>;
}

const tries = createPublisher('job');

/** Milliseconds. */
const POLL_INTERVAL = 2_000;
const PLAN_INTERVAL = 60_000;
const WHOLE_PLAN_INTERVAL = 3_600_000;
const MAX_PAUSE = 4 * 3_600_000;
const WRITE_RETRY = 500;
/** UTF-16 code units of an error message that are stored. */
const MAX_MESSAGE = 1_000;

/**
 * The jobs of an application, each an async function under its name. It gets the payload as it comes back from JSON,
 * and rejects if it has to be called again: after 2, 4, 8 … seconds, at most 4 hours, each up to half shorter by
 * chance. The table `seeother_outbox` is created when it is first used.
 */
export function createOutbox<Payloads>(
  database: Database,
  jobs: {
    readonly [Name in keyof Payloads]: (
      payload: Payloads[Name],
      attempt: Attempt,
    ) => Promise<unknown>;
  },
  options: OutboxOptions = {},
): Outbox<Payloads> {
  if (typeof database?.write !== 'function') {
    throw new TypeError(
      `Cannot make an outbox of ${describeValue(database)}: pass an open database, createOutbox(await openSqlite(file), jobs).`,
    );
  }
  checkOptions('createOutbox', options, OUTBOX_KINDS);
  const { timeout = 30_000, attempts: maxAttempts = 25, concurrency = 10 } = options;
  const { report = writeReport } = options;
  const given = Object.entries(jobs) as [name: string, job: Handler | ScheduledJob][];
  if (given.length === 0 || given.some(([, job]) => typeof job !== 'function')) {
    throw new TypeError(
      'Cannot make an outbox of these jobs: pass an object of functions, such as { mail: async ({ to }, { key }) => … }.',
    );
  }
  const handlers = new Map<string, Handler>();
  const schedules = new Map<string, Schedule>();
  for (const [name, job] of given) {
    const id = 'schedule' in job ? SCHEDULED + name : name;
    handlers.set(id, job as Handler);
    if ('schedule' in job) schedules.set(id, job.schedule);
  }
  const names = [...handlers.keys()];
  const added = names.filter((name) => !schedules.has(name));
  const rows = openOutboxRows(database, options.table ?? null);
  const table = createOutboxTable(database, rows, names, maxAttempts);
  const planned = createScheduleTable(rows, schedules, timeout);
  /** Nobody adds a run of a schedule. */
  const interval = added.length > 0 ? POLL_INTERVAL : PLAN_INTERVAL;
  /** No job is due later, plus what clocks may differ. */
  const longest = Math.max(MAX_PAUSE, 2 * timeout) + timeout;
  const running = new Set<Promise<void>>();
  let isStarted = false;
  let isWoken = false;
  let isAway = false;
  /** A suspect job is running. */
  let isAlone = false;
  let looking: Promise<void> | null = null;
  /** Resolves when the jobs before are begun: a suspect one begins alone. */
  let beginning: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let plannedAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  /** Jobs must not run in the context of the request that added them, which a log may read. */
  const inOwnContext = AsyncLocalStorage.snapshot();

  const watch = watchStart(
    async (milliseconds) => {
      if ((await planned.list()).length < schedules.size) return true;
      const due = await table.findDue();
      return due !== null && due.first + milliseconds <= Date.now();
    },
    () =>
      report({
        message: `Jobs wait in the outbox (${names.map(toName).join(', ')}), and no process carries them out: call start() of the outbox once the site serves, or run() from time to time.`,
      }),
  );
  if (schedules.size > 0) watch.begin();

  function wake(): void {
    isWoken = true;
    if (isStarted) looking ??= inOwnContext(look);
    else watch.begin();
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    let wait = interval;
    while (isStarted && isWoken) {
      isWoken = false;
      try {
        await plan();
        wait = await fill();
        isAway = false;
      } catch (error) {
        if (!isAway) report({ message: 'Cannot look for jobs in the outbox.', error });
        isAway = true;
      }
    }
    looking = null;
    if (isStarted) timer = setTimeout(wake, wait).unref();
  }

  async function plan(): Promise<void> {
    const now = performance.now();
    const isWhole = now - wholeAt >= WHOLE_PLAN_INTERVAL;
    if (!isWhole && (schedules.size === 0 || now - plannedAt < PLAN_INTERVAL)) return;
    await planned.plan(Date.now(), isWhole);
    plannedAt = now;
    if (isWhole) wholeAt = now;
  }

  /** Begins the jobs that are due; resolves to the milliseconds until the next look. */
  async function fill(): Promise<number> {
    while (running.size < concurrency && !isAlone) {
      const due = await table.findDue();
      if (!isStarted || due === null) break;
      const now = Date.now();
      if (due.last !== null && due.last > now + longest) await bringForward(now);
      if (due.first > now) return Math.min(due.first - now, interval);
      // It waits for the others, and later ones for it.
      if (due.isFirstSuspect && running.size > 0) break;
      // Another process has taken them, and may be killed.
      if ((await begin(now)) === 0) return POLL_INTERVAL;
    }
    return interval;
  }

  /** Their attempts may still run, by the clock that was wrong. */
  const bringForward = (now: number) => table.bringForward(now + longest, now + 2 * timeout);

  /** Begins jobs that are due at `now`, and resolves to their number. */
  function begin(now: number): Promise<number> {
    const begun = beginning.then(async () => {
      if (isAlone) return 0;
      const takenAt = performance.now();
      const isIdle = running.size === 0;
      const count = concurrency - running.size;
      const taken = await table.take(count, isIdle, now, now + 2 * timeout);
      for (const job of taken.abandoned) reportEnd(job);
      if (taken.suspect !== null) reportSuspect(taken.suspect);
      isAlone = taken.suspect !== null;
      const jobs = taken.suspect === null ? taken.jobs : [taken.suspect];
      for (const job of jobs) {
        const end = carryOut(job, now, takenAt).then(() => {
          running.delete(end);
          isAlone = false;
          wake();
        });
        running.add(end);
      }
      return jobs.length;
    });
    beginning = begun.then(
      () => {},
      () => {},
    );
    return begun;
  }

  /** Never rejects. */
  async function carryOut(job: TakenJob, now: number, takenAt: number): Promise<void> {
    const run = schedules.has(job.name) ? planned.toRun(job, now) : null;
    const failure = run?.isMissed
      ? null
      : await attempt(job, run, takenAt + timeout - performance.now());
    const isLast = run === null && job.attempts >= maxAttempts;
    const retryAt = now + performance.now() - takenAt + pauseAfter(job.attempts);
    const write = () => {
      if (run === null)
        return failure === null
          ? table.remove(job.id)
          : table.postpone(job, isLast ? null : retryAt, messageOf(failure.error));
      return failure === null
        ? planned.finish(job, now, !run.isMissed)
        : planned.postpone(job, now, retryAt, messageOf(failure.error));
    };
    await writeUntil(write, takenAt + 2 * timeout).catch((error) =>
      report({ message: `Cannot write how ${describe(job)} ended: it will run again.`, error }),
    );
    if (failure === null) return;
    if (isLast) reportEnd(job, failure.error);
    else report({ message: `${describe(job)} has failed, and will run again.`, ...failure });
  }

  /** Resolves to why it has failed, or null. */
  async function attempt(
    { id, name, payload, attempts }: TakenJob,
    run: Run | null,
    milliseconds: number,
  ): Promise<{ readonly error: unknown } | null> {
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const controller = new AbortController();
    const deadline = setTimeout(() => {
      const error = new Error(`It took longer than ${timeout} milliseconds.`);
      controller.abort(error);
      reject(error);
    }, milliseconds);
    const { signal } = controller;
    const handle = async () =>
      handlers.get(name)?.(run === null ? JSON.parse(payload) : run.at, {
        key: run?.key ?? id,
        attempt: attempts,
        signal,
      });
    const start = performance.now();
    let hasFailed = true;
    try {
      await Promise.race([handle(), timedOut]);
      hasFailed = false;
      return null;
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(deadline);
      tries.publish({ name: toName(name), time: performance.now() - start, hasFailed });
    }
  }

  const describe = ({ id, name, attempts }: TakenJob) => {
    const job = `the job ${toName(name)} (${id})`;
    if (schedules.has(name)) return `Attempt ${attempts} of ${job}`;
    return `Attempt ${attempts} of ${Math.max(attempts, maxAttempts)} of ${job}`;
  };
  const reportSuspect = ({ wasAlone, ...job }: SuspectJob) => {
    const last = describe({ ...job, attempts: job.attempts - 1 });
    report({
      message: wasAlone
        ? `${last} did not end, and it ran alone: it probably ends its process. It runs alone again.`
        : `${last} did not end: its process has ended. It runs alone now.`,
    });
  };
  const reportEnd = (job: TakenJob, error?: unknown) => {
    const end = schedules.has(job.name)
      ? 'The next one is at its next time.'
      : 'It was the last one.';
    report({ message: `${describe(job)} has failed. ${end}`, error });
  };

  const add = (name: string) => async (transaction: WriteTransaction, payload: unknown) => {
    const text: string | undefined = JSON.stringify(payload);
    if (text === undefined) {
      throw new TypeError(
        `Cannot add the job ${name} with ${describeValue(payload)}: pass what JSON can represent, such as null.`,
      );
    }
    await table.add(transaction, name, text);
    transaction.onCommit(wake);
  };

  return {
    afterCommit: Object.fromEntries(
      added.map((name) => [name, add(name)]),
    ) as Outbox<Payloads>['afterCommit'],
    start() {
      watch.end();
      isStarted = true;
      wake();
    },
    async stop() {
      watch.end();
      isStarted = false;
      clearTimeout(timer);
      await looking;
      await Promise.all(running);
    },
    async run(now = new Date()) {
      watch.end();
      await bringForward(now.getTime());
      await planned.plan(now.getTime(), true);
      do await Promise.all(running);
      while ((await begin(now.getTime())) > 0);
    },
    schedules: planned.list,
    failed: table.listFailed,
    async retry(id) {
      const isFound = await table.retry(id, Date.now());
      wake();
      return isFound;
    },
    discard: table.remove,
  };
}

/** Of a row. */
function toName(name: string): string {
  return name.startsWith(SCHEDULED) ? name.slice(SCHEDULED.length) : name;
}

type Handler = (payload: unknown, attempt: Attempt) => Promise<unknown>;

/** If the database is away for a moment, a job that is done must not run again. */
async function writeUntil(write: () => Promise<unknown>, end: number): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() > end) throw error;
    }
    await sleep(WRITE_RETRY);
  }
}

/** Milliseconds. The random part keeps jobs that failed together from coming back together. */
function pauseAfter(attempts: number): number {
  return Math.min(2 ** attempts * 1_000, MAX_PAUSE) * (1 - Math.random() / 2);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : inspect(error);
  // PostgreSQL refuses NUL.
  return message.replaceAll('\0', '').slice(0, MAX_MESSAGE);
}
