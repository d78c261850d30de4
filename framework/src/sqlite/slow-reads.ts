/**
 * Runs reads in another thread, one after another, so that a slow one does not block the event loop. The first
 * read starts the thread. If the thread ends, its read fails, and the next read starts another one.
 */
import type { Worker } from 'node:worker_threads';
import { type Connection, DatabaseUnavailable, type Result } from '../database/database.ts';
import { createPublisher } from '../events/events.ts';
import { fromSqliteRead } from './errors.ts';
import type { Question, ReadThreadData, Reply } from './read-thread.ts';
import { startThread } from './start-thread.ts';

export interface SlowReads extends Connection {
  readonly close: () => Promise<void>;
}

/** Of the statements in the thread. */
const ran = createPublisher('statement');

/** Tests replace `start`. */
export function createSlowReads(
  data: ReadThreadData,
  start: () => Worker = () => startThread('read', data),
): SlowReads {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const startOnce = (): Worker => {
    if (thread !== null) return thread;
    try {
      const started = start();
      const forget = () => {
        if (thread === started) thread = null;
      };
      thread = started.on('error', forget).on('exit', forget);
      return started;
    } catch (cause) {
      throw new DatabaseUnavailable('no thread could be started to search it.', { cause });
    }
  };

  const ask = (question: Question): Promise<Result<never>> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result<never>>();
    const worker = startOnce();
    const end = (cause?: unknown) => {
      reject(new DatabaseUnavailable('the thread that searches it has ended.', { cause }));
    };
    const take = (reply: Reply) => {
      // In watch mode, Node sends its own messages on this channel.
      if (!('rows' in reply || 'failure' in reply)) return;
      worker.off('message', take).off('error', end).off('exit', end).unref();
      if ('rows' in reply) {
        ran.publish({ sql: question.sql, rows: reply.rows.length });
        resolve({ rows: reply.rows as never[], changes: reply.rows.length });
      } else {
        const error = Object.assign(new Error(reply.failure.message), reply.failure);
        reject(fromSqliteRead(error, question.sql));
      }
    };
    worker.on('message', take).on('error', end).on('exit', end).ref();
    worker.postMessage(question);
    return promise;
  };

  return {
    run(sql, values = []) {
      const answer = last.then(() => ask({ sql, values }));
      last = answer.catch(() => {});
      return answer;
    },
    async close() {
      await thread?.terminate();
    },
  };
}
