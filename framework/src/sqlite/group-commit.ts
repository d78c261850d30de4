/**
 * Group commit. A work is the function that a caller of `write` passes. Works that wait run one after
 * another in one transaction, then what they left for its end, and one sync puts its commit on disk. Only then
 * do their callers get a result, since each work may have read what the others wrote. Works that arrive
 * meanwhile form the next group.
 *
 * When a work fails, the transaction is rolled back and the other works run once more, now each in a
 * savepoint. Savepoints for all works would be expensive: a full-text index flushes at each of them.
 *
 * A sync that failed is never repeated: Linux reports a failed write once, and the second sync would
 * succeed without it. The outcome of the group is unknown, and nothing more is written.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type WriteTransaction } from '../database/database.ts';
import { runWork } from '../database/write.ts';
import { fromSqlite, fromSqliteCommit, isLocked } from './errors.ts';
import type { RunStatement } from './statements.ts';

/** In milliseconds. */
export interface WriteLimits {
  /** To wait for the lock of another process. */
  readonly lock: number;
  /** To wait for the next group. */
  readonly wait: number;
  /** That a work may take between two statements. */
  readonly idle: number;
}

export interface GroupCommitOptions {
  /** For writes alone. It must not wait for locks by itself. */
  readonly connection: DatabaseSync;
  readonly run: RunStatement;
  /** Throws when nothing may be written at this moment. */
  readonly requireUsable?: () => void;
  /** Resolves when all that was committed is on disk. */
  readonly sync: () => Promise<void>;
  /** Called once, when a sync has failed: the process has to end. */
  readonly onLost: (error: Error) => void;
  readonly limits?: Partial<WriteLimits>;
}

export interface GroupCommit {
  /** Runs the work in a transaction; settles when it is on disk, or has left nothing. */
  readonly write: <T>(work: Work<T>) => Promise<T>;
  /** Resolves when nothing is being written any more. */
  readonly finish: () => Promise<void>;
}

type Work<T> = (transaction: WriteTransaction) => Promise<T>;

const LIMITS: WriteLimits = { lock: 2_000, wait: 5_000, idle: 5_000 };
/** In a group. */
const MAX_WORKS = 100;
/** Milliseconds that a group waits while each turn of the event loop brings more works. */
const MAX_COLLECT = 10;
/** Milliseconds that works run before the event loop does something else. */
const MAX_TURN = 3;
/** Milliseconds between two attempts to lock. */
const LOCK_RETRY = 1;

interface Entry {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  /** Tells the caller the outcome of the last run. */
  settle: () => void;
  /** What the last run left for the end of the transaction. */
  atEnd: (() => Promise<void>) | null;
  /** Of the last run, when it failed. */
  error?: unknown;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { connection, run, requireUsable, sync, onLost } = options;
  const limits = { ...LIMITS, ...options.limits };
  const queue = new Set<Entry>();
  let running: Promise<void> | null = null;
  let lost: Error | null = null;
  /** Of the work that runs now. */
  let idle: NodeJS.Timeout | null = null;

  async function write<T>(work: Work<T>): Promise<T> {
    if (lost !== null) throw lost;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      queue.delete(entry);
      reject(new DatabaseUnavailable('other writes have been under way for too long.'));
    }, limits.wait);
    const entry = { work, resolve, reject, timer, settle: () => {}, atEnd: null } as Entry;
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

  /** Resolves when a turn of the event loop has brought no more works: a burst of requests shares a sync. */
  async function collect(): Promise<void> {
    const end = performance.now() + MAX_COLLECT;
    for (let size = 0; queue.size > size && performance.now() < end; await nextTurn()) {
      size = queue.size;
    }
  }

  async function runGroup(): Promise<void> {
    const group: Entry[] = [];
    try {
      requireUsable?.();
      await begin();
      const failed = await runTogether(group);
      if (failed !== null) {
        rollBack();
        await begin();
        await runApart(group, failed);
      }
      commit();
    } catch (error) {
      rollBack();
      // When the transaction could not begin, all that wait fail: none waits for the lock once more.
      for (const { reject } of group.length > 0 ? group : takeAll()) reject(error);
      return;
    }
    try {
      await sync();
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

  /** Stops at the first work that fails, and resolves to it. */
  async function runTogether(group: Entry[]): Promise<Entry | null> {
    for await (const entry of inTurns(takeNext(group))) {
      if (!(await runEntry(entry))) return entry;
    }
    for await (const entry of inTurns(group)) {
      if (!(await finishEntry(entry))) return entry;
    }
    return null;
  }

  /** The others again, and more. Throws what made SQLite end the transaction, as a full disk does. */
  async function runApart(group: Entry[], failed: Entry): Promise<void> {
    const others = group.filter((entry) => entry !== failed);
    for await (const entry of inTurns(concat(others, takeNext(group)))) {
      run('savepoint work');
      if (!((await runEntry(entry)) && (await finishEntry(entry)))) rollBackWork();
      if (!connection.isTransaction) throw entry.error;
      run('release work');
    }
  }

  /** Whether the work succeeded. */
  function runEntry(entry: Entry): Promise<boolean> {
    return attempt(entry, async () => {
      const { value, atEnd } = await runWork(runStatement, entry.work, limitIdle);
      entry.atEnd = atEnd;
      entry.settle = () => entry.resolve(value);
    });
  }

  /** Whether the end of the work succeeded. */
  function finishEntry(entry: Entry): Promise<boolean> {
    return attempt(entry, async () => entry.atEnd?.());
  }

  async function attempt(entry: Entry, run: () => Promise<void>): Promise<boolean> {
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

  /** What comes while these run is in the next group, so that they do not wait for it. */
  function* takeNext(group: Entry[]): Generator<Entry> {
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
      // The transaction has ended all the same; the error that led here says why.
    }
  }

  function giveUp(group: readonly Entry[], cause: unknown): void {
    const why = 'the disk has failed to save, and what it holds is unknown until a restart.';
    lost = new DatabaseUnavailable(why, { cause });
    const unknown = new DatabaseUnavailable(why, { cause, outcome: 'unknown' });
    for (const { reject } of group) reject(unknown);
    for (const { reject } of takeAll()) reject(lost);
    onLost(lost);
  }

  function take(entry: Entry): void {
    queue.delete(entry);
    clearTimeout(entry.timer);
  }

  function takeAll(): readonly Entry[] {
    const entries = [...queue];
    entries.forEach(take);
    return entries;
  }

  return {
    write,
    async finish() {
      while (running !== null) await running;
    },
  };
}

/** Lets the event loop do other things now and then. */
async function* inTurns<T>(list: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const one of list) {
    if (performance.now() - since > MAX_TURN) {
      await nextTurn();
      since = performance.now();
    }
    yield one;
  }
}

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
