/**
 * Group commit. The waiting writes run one after another in one transaction, then their `atEnd` functions, and
 * one sync puts the commit on disk. Only then do the callers get their results, because each write may have read
 * rows of the others. Writes that arrive meanwhile form the next group.
 *
 * If a write fails, the transaction is rolled back and the others run once more, now each in a savepoint.
 * Savepoints from the start would be expensive: a full-text index flushes at each of them.
 *
 * A failed sync is never repeated: Linux reports a failed write once, and a second sync would succeed without
 * its data. The outcome of the group is unknown, and nothing more is written.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database/database.ts';
import { type OpenTransaction, runWork } from '../database/write.ts';
import { createPublisher } from '../events/events.ts';
import { fromSqlite, fromSqliteCommit, isLocked } from './errors.ts';
import { inTurns } from './in-turns.ts';
import type { RunStatement } from './statements.ts';

/** In milliseconds. */
export interface WriteLimits {
  /** How long a group waits while each turn of the event loop brings more writes. */
  readonly collect: number;
  /** How long a group waits for the lock of another process. */
  readonly lock: number;
  /** How long a write waits for its group. */
  readonly wait: number;
  /** How long a write may pause between two statements. */
  readonly idle: number;
}

export interface GroupCommitOptions {
  /** Used only for writes. Its `busy_timeout` is 0. */
  readonly connection: DatabaseSync;
  readonly run: RunStatement;
  /** Throws while nothing may be written. */
  readonly requireUsable?: () => void;
  /**
   * Called once, with the lock, before the first commit. If it throws, the writes fail, and the next ones try again.
   */
  readonly prepare?: () => void;
  /** Resolves when all commits are on disk. */
  readonly sync: () => Promise<void>;
  /** Called once, after a failed sync: the process must end. */
  readonly onLost: (error: Error) => void;
  readonly limits?: Partial<WriteLimits>;
}

export interface GroupCommit {
  /**
   * Runs `work` in a transaction. Fulfilled when it is on disk; rejected when nothing was written, unless the error
   * has the outcome `unknown`.
   */
  readonly write: <T>(work: Work<T>) => Promise<T>;
  /** The number of writes that have not begun. */
  readonly waiting: () => number;
  /** Resolves when no write is running. */
  readonly finish: () => Promise<void>;
}

type Work<T> = (transaction: OpenTransaction) => Promise<T>;

const LIMITS: WriteLimits = { collect: 10, lock: 2_000, wait: 5_000, idle: 5_000 };
/** Writes per group. */
const MAX_WORKS = 100;
/** Milliseconds between two attempts to take the lock. */
const LOCK_RETRY = 1;

const commits = createPublisher('commit');

interface QueuedWork {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  /** Settles the caller's promise with the outcome of the last run. */
  settle: () => void;
  /** What the last run passed to `atEnd`. */
  atEnd: (() => Promise<void>) | null;
  /** Why the last run failed. */
  error?: unknown;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { connection, run, requireUsable, sync, onLost } = options;
  const limits = { ...LIMITS, ...options.limits };
  const queue = new Set<QueuedWork>();
  let running: Promise<void> | null = null;
  let lost: Error | null = null;
  let isPrepared = false;
  /** The timer of the write that is running. */
  let idle: NodeJS.Timeout | null = null;

  async function write<T>(work: Work<T>): Promise<T> {
    if (lost !== null) throw lost;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      queue.delete(entry);
      reject(new DatabaseUnavailable('other writes have been under way for too long.'));
    }, limits.wait);
    const entry = { work, resolve, reject, timer, settle: () => {}, atEnd: null } as QueuedWork;
    queue.add(entry);
    running ??= runGroups();
    return promise;
  }

  async function runGroups(): Promise<void> {
    while (queue.size > 0) {
      await collect();
      await runGroup();
    }
    running = null;
  }

  /** Resolves after a turn of the event loop without new writes, so that a burst of requests shares a sync. */
  async function collect(): Promise<void> {
    const end = performance.now() + limits.collect;
    for (let size = 0; queue.size > size && performance.now() < end; await nextTurn()) {
      size = queue.size;
    }
  }

  async function runGroup(): Promise<void> {
    const group: QueuedWork[] = [];
    const start = performance.now();
    try {
      requireUsable?.();
      await begin();
      prepareOnce();
      const failed = await runTogether(group);
      if (failed !== null) {
        rollBack();
        await begin();
        await runApart(group, failed);
      }
      commit();
    } catch (error) {
      rollBack();
      // If the transaction could not begin, all waiting writes fail, so none waits for the lock a second time.
      for (const { reject } of group.length > 0 ? group : takeAll()) reject(error);
      return;
    }
    try {
      await sync();
      commits.publish({ writes: group.length, time: performance.now() - start });
      for (const { settle } of group) settle();
    } catch (cause) {
      giveUp(group, cause);
    }
  }

  async function begin(): Promise<void> {
    const deadline = performance.now() + limits.lock;
    for (;;) {
      try {
        run('begin immediate');
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() > deadline) throw fromSqlite(error);
      }
      await sleep(LOCK_RETRY);
    }
  }

  function prepareOnce(): void {
    if (isPrepared) return;
    options.prepare?.();
    isPrepared = true;
  }

  /** Stops at the first write that fails, and resolves to it. */
  async function runTogether(group: QueuedWork[]): Promise<QueuedWork | null> {
    return (await inTurns(takeNext(group), runEntry)) ?? (await inTurns(group, finishEntry));
  }

  /** Runs the other writes again, and new ones. Throws if SQLite has ended the transaction, as on a full disk. */
  async function runApart(group: QueuedWork[], failed: QueuedWork): Promise<void> {
    const others = group.filter((entry) => entry !== failed);
    await inTurns(concat(others, takeNext(group)), async (entry) => {
      run('savepoint work');
      if (!((await runEntry(entry)) && (await finishEntry(entry)))) rollBackWork();
      if (!connection.isTransaction) throw entry.error;
      run('release work');
      return true;
    });
  }

  /** Resolves to whether the write succeeded. */
  function runEntry(entry: QueuedWork): Promise<boolean> {
    return attempt(entry, async () => {
      const { value, atEnd } = await runWork(runStatement, entry.work, limitIdle);
      entry.atEnd = atEnd;
      entry.settle = () => entry.resolve(value);
    });
  }

  /** Resolves to whether its `atEnd` function succeeded. */
  function finishEntry(entry: QueuedWork): Promise<boolean> {
    return attempt(entry, async () => entry.atEnd?.());
  }

  async function attempt(entry: QueuedWork, run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      entry.error = error;
      entry.settle = () => entry.reject(error);
      return false;
    }
  }

  const runStatement: RunStatement = (sql, values) => {
    idle?.refresh();
    try {
      return run(sql, values);
    } catch (error) {
      throw fromSqlite(error);
    }
  };

  async function limitIdle<T>(part: () => Promise<T>): Promise<T> {
    const { promise: stop, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new DatabaseUnavailable('what was to be written did not come in time.'));
    }, limits.idle);
    idle = timer;
    try {
      return await Promise.race([part(), stop]);
    } finally {
      clearTimeout(timer);
    }
  }

  function rollBackWork(): void {
    // After some errors, such as a full disk, SQLite has ended the whole transaction.
    if (!connection.isTransaction) return;
    try {
      run('rollback to work');
    } catch {
      rollBack();
    }
  }

  /** Yields the writes that are waiting now. Later ones are in the next group, so these do not wait for them. */
  function* takeNext(group: QueuedWork[]): Generator<QueuedWork> {
    for (const entry of [...queue]) {
      if (group.length === MAX_WORKS) return;
      take(entry);
      group.push(entry);
      yield entry;
    }
  }

  function commit(): void {
    try {
      run('commit');
    } catch (error) {
      throw fromSqliteCommit(error);
    }
  }

  function rollBack(): void {
    try {
      if (connection.isTransaction) connection.exec('rollback');
    } catch {
      // SQLite has ended the transaction already; the error that led here says why.
    }
  }

  function giveUp(group: readonly QueuedWork[], cause: unknown): void {
    const why = 'the disk has failed to save, and what it holds is unknown until a restart.';
    const trouble = { cause, disk: 'fails' } as const;
    lost = new DatabaseUnavailable(why, trouble);
    const unknown = new DatabaseUnavailable(why, { ...trouble, outcome: 'unknown' });
    for (const { reject } of group) reject(unknown);
    for (const { reject } of takeAll()) reject(lost);
    onLost(lost);
  }

  function take(entry: QueuedWork): void {
    queue.delete(entry);
    clearTimeout(entry.timer);
  }

  function takeAll(): readonly QueuedWork[] {
    const entries = [...queue];
    entries.forEach(take);
    return entries;
  }

  return {
    write,
    waiting: () => queue.size,
    async finish() {
      while (running !== null) await running;
    },
  };
}

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
