/**
 * Writes that come while others are under way share their transaction, and with it the one wait for
 * the disk. They take turns: each runs alone, in a savepoint of its own, and one that fails takes back
 * what it did and nothing else. Whatever came of it, the caller hears of it after the commit: what a
 * write has seen of the others is certain only then.
 *
 * The hard case: work that never ends. It would keep the lock for ever, so it is taken back when it
 * has not asked for anything for a while; who has waited too long for a turn is told so.
 */
import { DatabaseUnavailable } from './database-unavailable.ts';
import type { Ran } from './sqlite-statements.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** The transaction, while the work has its turn. */
export interface Turn {
  readonly run: (sql: string, parameters: readonly unknown[]) => Promise<Ran>;
}

export type RunInTurn = <T>(work: (turn: Turn) => Promise<T>) => Promise<T>;

export interface TurnLimits {
  /** Milliseconds that work may stand still. */
  readonly still: number;
  /** Milliseconds to wait for a turn. */
  readonly wait: number;
}

/** Pieces of work in one transaction: the first one waits for the last. */
const MOST = 100;
const LIMITS: TurnLimits = { still: 5_000, wait: 5_000 };

/** One transaction of one thread. */
interface Group {
  readonly writer: SqliteWriter;
  readonly committed: PromiseWithResolvers<unknown>;
  size: number;
}

/** `getWriter` starts the thread when there is none. */
export function createGroupCommit(
  getWriter: () => SqliteWriter,
  { still, wait }: TurnLimits = LIMITS,
): RunInTurn {
  const waiting = new Set<() => void>();
  let group: Group | null = null;
  let isTaken = false;

  async function takeTurn(): Promise<Group> {
    if (isTaken) await waitForTurn();
    isTaken = true;
    group ??= { writer: getWriter(), committed: Promise.withResolvers(), size: 0 };
    group.size++;
    return group;
  }

  function waitForTurn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(new DatabaseUnavailable('other writes have been under way for too long.'));
    }, wait);
    waiting.add(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  function passTurn({ writer, committed, size }: Group): void {
    const [next] = waiting;
    if (next === undefined || size === MOST) {
      group = null;
      writer.post({ kind: 'commit' }).then(committed.resolve, committed.reject);
    }
    isTaken = next !== undefined;
    if (next === undefined) return;
    waiting.delete(next);
    next();
  }

  return async <T>(work: (turn: Turn) => Promise<T>) => {
    const mine = await takeTurn();
    const { writer, committed } = mine;
    let ended: Promise<T>;
    try {
      const value = await takeWithin(still, writer, work);
      ended = writer.post({ kind: 'end' }).then(() => value);
    } catch (error) {
      writer.post({ kind: 'undo' }).catch(() => {});
      ended = Promise.reject(error);
    }
    passTurn(mine);
    // It is asked for below, after the commit.
    ended.catch(() => {});
    await committed.promise;
    return ended;
  };
}

/** Rejects when the work stands still for so many milliseconds; then its turn is over. */
async function takeWithin<T>(
  still: number,
  writer: SqliteWriter,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const { promise: stoodStill, reject } = Promise.withResolvers<never>();
  let unanswered = 0;
  let isOver = false;
  const timer = setTimeout(() => {
    if (unanswered > 0) timer.refresh();
    else reject(new DatabaseUnavailable('what was to be written did not come in time.'));
  }, still);
  const run: Turn['run'] = async (sql, parameters) => {
    if (isOver) {
      throw new Error(
        `Cannot run ${sql}: the transaction is over. Await every statement inside the work.`,
      );
    }
    unanswered++;
    try {
      return await writer.post({ kind: 'run', sql, parameters });
    } finally {
      unanswered--;
      if (!isOver) timer.refresh();
    }
  };
  try {
    return await Promise.race([work({ run }), stoodStill]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
