/**
 * The door for writes, the same for both engines: a work that another transaction got in the way of runs
 * again, and a write inside another one is refused. On SQLite it would wait for itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  type WriteTransaction,
} from './database.ts';

/** Serialization failure and deadlock: PostgreSQL asks to try again. */
const RETRYABLE = new Set<unknown>(['40001', '40P01']);
const MAX_TRIES = 5;
/** Milliseconds; up to twice as much, so that two writers do not meet again. */
const PAUSE = 10;

/** `writeOnce` runs the work in one transaction, once. */
export function createWrite(writeOnce: Database['write']): Database['write'] {
  const writing = new AsyncLocalStorage<{ isOver: boolean }>();
  return async (work) => {
    if (writing.getStore()?.isOver === false) {
      throw new Error(
        'Cannot write inside the work of another write: it would wait for itself. Use the transaction that the work was given.',
      );
    }
    for (let tries = 1; ; tries++) {
      const state = { isOver: false };
      try {
        return await writeOnce((transaction) => writing.run(state, work, transaction));
      } catch (error) {
        if (!RETRYABLE.has((error as { readonly code?: unknown } | null)?.code)) throw error;
        if (tries === MAX_TRIES) {
          throw new DatabaseUnavailable('other writers were in the way again and again.', {
            cause: error,
          });
        }
        await setTimeout(PAUSE * tries * (1 + Math.random()));
      } finally {
        state.isOver = true;
      }
    }
  };
}

type Statement = Parameters<Connection['run']>;

/** A part of a work, run so that it ends in time. */
type RunPart = <T>(part: () => Promise<T>) => Promise<T>;

/** A work has run; what it left for the end of the transaction has not. */
export interface DoneWork<T> {
  readonly value: T;
  /** Null if it left nothing. */
  readonly atEnd: (() => Promise<void>) | null;
}

/**
 * Runs the work with a connection that takes no statement after one has failed, nor after the end of the
 * work.
 */
export async function runWork<T>(
  run: (...statement: Statement) => unknown,
  work: (transaction: WriteTransaction) => Promise<T>,
  runPart: RunPart = (part) => part(),
): Promise<DoneWork<T>> {
  let isOver = true;
  const failures: unknown[] = [];
  const last: (() => Promise<void>)[] = [];
  const runInWork = async (...statement: Statement): Promise<unknown> => {
    if (isOver) {
      throw new Error(
        `Cannot run ${statement[0]}: the transaction is over. Await every statement inside the work.`,
      );
    }
    if (failures.length > 0) throw failures[0];
    try {
      return await run(...statement);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const whileOpen: RunPart = async (part) => {
    isOver = false;
    try {
      const value = await runPart(part);
      if (failures.length > 0) throw failures[0];
      return value;
    } finally {
      isOver = true;
    }
  };
  const transaction: WriteTransaction = {
    run: runInWork as Connection['run'],
    atEnd: (finish) => {
      last.push(finish);
    },
  };
  const value = await whileOpen(() => work(transaction));
  const atEnd = () =>
    whileOpen(async () => {
      for (const finish of last) await finish();
    });
  return { value, atEnd: last.length === 0 ? null : atEnd };
}
