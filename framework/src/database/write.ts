/**
 * What `write` does on both engines: it runs again after a conflict with another transaction, and refuses a write
 * inside another one, which on SQLite would wait for itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  type OpenOptions,
  type WriteTransaction,
} from './database.ts';
import { publishWrites } from './publish-queries.ts';
import { watchWrites } from './watch-writes.ts';

/** Serialization failure and deadlock, after which PostgreSQL expects a retry. */
const RETRYABLE = new Set<unknown>(['40001', '40P01']);
const MAX_TRIES = 5;
/** Milliseconds. Each pause is random, up to twice as long, so that two writers do not collide again. */
const PAUSE = 10;

/** A transaction before `createWrite` adds what happens after its commit. */
export type OpenTransaction = Omit<WriteTransaction, 'onCommit'>;

/** `writeOnce` runs `work` in one transaction, without retries. */
export function createWrite(
  writeOnce: <T>(work: (transaction: OpenTransaction) => Promise<T>) => Promise<T>,
  report: NonNullable<OpenOptions['report']>,
): Pick<Database, 'write' | 'writeFailure'> {
  const writing = new AsyncLocalStorage<{ isOver: boolean }>();
  const { note, writeFailure } = watchWrites(report);
  const write: Database['write'] = async (work) => {
    if (writing.getStore()?.isOver === false) {
      throw new Error(
        'Cannot write inside another write: it would wait for itself. Use the transaction that the outer write has passed.',
      );
    }
    for (let tries = 1; ; tries++) {
      const state = { isOver: false };
      let committed: (() => void)[] = [];
      try {
        const value = await writeOnce((transaction) => {
          // `writeOnce` may run `work` again, after a rollback.
          committed = [];
          const onCommit = (done: () => void) => void committed.push(done);
          return writing.run(state, work, { ...transaction, onCommit });
        });
        note(null);
        // If one throws, the write has succeeded all the same.
        committed.forEach(queueMicrotask);
        return value;
      } catch (error) {
        note(error);
        if (!RETRYABLE.has((error as { readonly code?: unknown } | null)?.code)) throw error;
        if (tries === MAX_TRIES) {
          throw new DatabaseUnavailable('the write has conflicted with other writes too often.', {
            cause: error,
          });
        }
        await setTimeout(PAUSE * tries * (1 + Math.random()));
      } finally {
        state.isOver = true;
      }
    }
  };
  return { write: publishWrites(write), writeFailure };
}

type Statement = Parameters<Connection['run']>;

/** Runs a part of a write, and may limit its time. */
type RunPart = <T>(part: () => Promise<T>) => Promise<T>;

/** The state of a write after `work` and before its `atEnd` functions. */
export interface DoneWork<T> {
  readonly value: T;
  /** Null if `work` passed no function to `atEnd`. */
  readonly atEnd: (() => Promise<void>) | null;
}

/**
 * Runs `work` with a connection that runs one statement after another, and none after a failed one or after the end
 * of `work`. A statement that no code awaits belongs to the work too: the work waits for it, and fails with it.
 */
export async function runWork<T>(
  run: (...statement: Statement) => unknown,
  work: (transaction: OpenTransaction) => Promise<T>,
  runPart: RunPart = (part) => part(),
): Promise<DoneWork<T>> {
  let isOver = true;
  const failures: unknown[] = [];
  const last: (() => Promise<void>)[] = [];
  /** Statements that have not succeeded or failed yet. */
  let pending = 0;
  /** Resolves after the last of them. */
  let turn: Promise<void> = Promise.resolve();
  const settle = () => {
    pending--;
  };
  const runNow = async (...statement: Statement): Promise<unknown> => {
    if (failures.length > 0) throw failures[0];
    if (isOver) throw refuseLate(statement);
    try {
      return await run(...statement);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const runInTurn = (...statement: Statement): Promise<unknown> => {
    const answer = pending === 0 ? runNow(...statement) : turn.then(() => runNow(...statement));
    pending++;
    // Before the caller goes on. It also handles a rejection, which would end the process.
    turn = answer.then(settle, settle);
    return answer;
  };
  const whileOpen: RunPart = async (part) => {
    isOver = false;
    try {
      const value = await runPart(part);
      while (pending > 0) await turn;
      if (failures.length > 0) throw failures[0];
      return value;
    } finally {
      isOver = true;
      while (pending > 0) await turn;
    }
  };
  const transaction: OpenTransaction = {
    run: runInTurn as Connection['run'],
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

/** If no code awaits the statement, nothing shows the error. So it is also a warning of the process. */
function refuseLate([sql]: Statement): Error {
  const error = new Error(
    `Cannot run ${sql}: the transaction is over. Await every statement within the write.`,
  );
  process.emitWarning(error);
  return error;
}
