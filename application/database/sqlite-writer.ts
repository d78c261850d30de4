/**
 * The near end of the thread that writes: sends it steps and hands out its answers. All steps of one
 * turn of the event loop travel in one message. The thread keeps the process alive only while it owes
 * an answer.
 *
 * The hard case: a thread that ends by itself. Whoever waits for an answer gets an error, and nobody
 * can use this end any more: what its transaction held is gone, and must not be mixed with that of
 * the next thread.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable, type Outcome } from './database-unavailable.ts';
import { explainSqlite, fromSqlite, fromSqliteCommit } from './sqlite-errors.ts';
import type { Ran } from './sqlite-statements.ts';
import type { Answer, Failure, Step } from './sqlite-steps.ts';
import type { ThreadData } from './sqlite-thread.ts';

export interface SqliteWriter {
  readonly isAlive: () => boolean;
  /** Rejects as the step fails; with a `DatabaseUnavailable` when the thread ends or has ended. */
  readonly post: (step: Step) => Promise<Ran>;
  /** After the steps that were posted before. */
  readonly close: () => Promise<void>;
}

interface Awaited extends Omit<PromiseWithResolvers<Ran>, 'promise'> {
  readonly isCommit: boolean;
}

export function startSqliteWriter(data: ThreadData): SqliteWriter {
  // Without the options of this process, which may be meant for its first file alone.
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    name: 'sqlite',
    workerData: data,
    execArgv: [],
  });
  let isAlive = true;
  let cause: unknown;
  let outbox: Step[] = [];
  const awaited: Awaited[] = [];

  const send = () => {
    if (outbox.length === 0) return;
    worker.ref();
    worker.postMessage(outbox);
    outbox = [];
  };

  worker.unref();
  worker.on('message', (answers: readonly Answer[]) => {
    // In watch mode Node posts messages of its own on this channel.
    if (!Array.isArray(answers)) return;
    for (const answer of answers) {
      const waiter = awaited.shift();
      if ('failure' in answer) waiter?.reject(toError(answer.failure));
      else waiter?.resolve(answer);
    }
    if (awaited.length === 0) worker.unref();
  });
  const end = (error?: unknown) => {
    isAlive = false;
    cause ??= error;
    for (const { isCommit, reject } of awaited.splice(0))
      reject(endOf(isCommit ? 'unknown' : 'not saved', cause));
  };
  // One that could not be started never exits.
  worker.on('error', end);
  worker.on('exit', () => end());

  return {
    isAlive: () => isAlive,
    post(step) {
      if (!isAlive) return Promise.reject(endOf('not saved', cause));
      const { promise, resolve, reject } = Promise.withResolvers<Ran>();
      awaited.push({ isCommit: step.kind === 'commit', resolve, reject });
      // After all that can go on without an answer has posted its steps, too.
      if (outbox.push(step) === 1) queueMicrotask(() => process.nextTick(send));
      return promise;
    },
    async close() {
      if (!isAlive) return;
      const ended = once(worker, 'exit');
      send();
      worker.ref();
      worker.postMessage(null);
      await ended;
    },
  };
}

function toError({ message, code, errcode, inCommit }: Failure): unknown {
  const error = Object.assign(new Error(message), { code, errcode });
  return inCommit ? fromSqliteCommit(error) : fromSqlite(error);
}

function endOf(outcome: Outcome, cause: unknown): DatabaseUnavailable {
  const why = explainSqlite(cause) ?? 'the thread that writes to it has ended.';
  return new DatabaseUnavailable(why, { cause, outcome });
}
