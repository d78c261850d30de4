/**
 * Group commit: works that wait run one after another in one transaction. Then one sync puts the commit
 * on disk, and only then do all callers hear of their works, since each may have read what the others
 * wrote. Works that come meanwhile form the next group.
 *
 * When a work fails, the transaction is taken back and all other works run once more, now each in a
 * savepoint of its own. Savepoints for all from the start are dear: at each of them the index of words
 * writes what it has collected.
 *
 * A sync that failed is never repeated: Linux reports a failed write once, and the second sync would
 * succeed without it. The outcome of the group is unknown, and nothing more is written.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { BEGIN_SQLITE } from './engine.ts';
import { fromSqlite, fromSqliteCommit, isLocked } from './sqlite-errors.ts';
import type { RunStatement } from './sqlite-statements.ts';
import { runInSavepoint, runWork, type Work } from './sqlite-work.ts';

/** In milliseconds. */
export interface WriteLimits {
  /** To wait for the lock of another process. */
  readonly lock: number;
  /** To wait for the next group. */
  readonly wait: number;
  /** That a work may take between two statements. */
  readonly still: number;
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

const LIMITS: WriteLimits = { lock: 2_000, wait: 5_000, still: 5_000 };
/** In a group. */
const MAX_WORKS = 100;
/** Milliseconds that works run before the event loop does something else. */
const MAX_TURN = 3;
/** Milliseconds between two attempts to lock. */
const LOCK_RETRY = 1;

interface Entry {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  /** Tells the caller what came of the work when it ran last. */
  settle: () => void;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { connection, run, requireUsable, sync, onLost } = options;
  const limits = { ...LIMITS, ...options.limits };
  const queue = new Set<Entry>();
  let running: Promise<void> | null = null;
  let lost: Error | null = null;

  function write<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (lost !== null) {
      reject(lost);
      return promise;
    }
    const timer = setTimeout(() => {
      queue.delete(entry);
      reject(new DatabaseUnavailable('other writes have been under way for too long.'));
    }, limits.wait);
    const entry = { work, resolve, reject, timer, settle: () => {} } as Entry;
    queue.add(entry);
    running ??= runGroups();
    return promise;
  }

  async function runGroups(): Promise<void> {
    while (queue.size > 0) {
      // All that this turn of the event loop brings is in the group.
      await nextTurn();
      await runGroup();
    }
    running = null;
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
      // When the transaction could not begin, all that wait fail: none of them waits for the lock again.
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
        run(BEGIN_SQLITE, []);
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
      try {
        const value = await runWork(run, entry.work, limits.still);
        entry.settle = () => entry.resolve(value);
      } catch (error) {
        entry.settle = () => entry.reject(error);
        return entry;
      }
    }
    return null;
  }

  /** The others again, and more. Throws what made SQLite end the transaction, as a full disk does. */
  async function runApart(group: Entry[], failed: Entry): Promise<void> {
    const others = group.filter((entry) => entry !== failed);
    for await (const entry of inTurns(concat(others, takeNext(group)))) {
      try {
        const value = await runInSavepoint(connection, run, entry.work, limits.still);
        entry.settle = () => entry.resolve(value);
      } catch (error) {
        entry.settle = () => entry.reject(error);
        if (!connection.isTransaction) throw error;
      }
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
      run('commit', []);
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
