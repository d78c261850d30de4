/**
 * Checkpoints copy the write-ahead log of SQLite into the database file, so that the log can be used
 * from its start again. They sync twice, so they run in a thread, on a connection of its own: the event
 * loop and the writes go on meanwhile. The thread is started by the first checkpoint. When it cannot be
 * started, or ends, writes go on too, and a later checkpoint starts it again.
 */
import { Worker } from 'node:worker_threads';
import type { ErrorEntry } from '../process/error-line.ts';
import { LOG_SIZE_SQLITE, SET_UP_SQLITE } from './engine.ts';
import type { CheckpointData } from './sqlite-checkpoint-thread.ts';

export interface Checkpoints {
  /** Is told the size of the log, in bytes, after each commit. */
  readonly note: (size: number) => void;
  readonly close: () => Promise<void>;
}

/** A log of so many bytes is reported: a program that reads for long keeps it from being used again. */
const TOO_LARGE = 64 * 1_048_576;

/** `report` is told of what fails; `start` starts the thread. */
export function createCheckpoints(
  file: string,
  report: (entry: ErrorEntry) => void,
  start = startThread,
): Checkpoints {
  let thread: Worker | null = null;
  /** The size at the last checkpoint. After a complete one, the next commit shrinks the log. */
  let sizeBefore = 0;
  let isTooLarge = false;

  const checkpoint = () => {
    try {
      thread ??= start(file).on('error', fail);
      thread.postMessage('checkpoint');
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown) => {
    thread = null;
    report({ message: `Cannot checkpoint ${file}: a later commit tries again.`, error });
  };

  return {
    note(size) {
      if (size < sizeBefore) sizeBefore = 0;
      if (size - sizeBefore > LOG_SIZE_SQLITE) {
        sizeBefore = size;
        checkpoint();
      }
      if (isTooLarge === size > TOO_LARGE) return;
      isTooLarge = !isTooLarge;
      if (!isTooLarge) return;
      const megabytes = Math.round(size / 1_048_576);
      report({
        message: `The write-ahead log ${file}-wal has ${megabytes} MB: a program that reads the database for long keeps it from being used again.`,
      });
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function startThread(file: string): Worker {
  // Without the options of this process, which may be meant for its first file alone.
  const thread = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), {
    name: 'checkpoint',
    workerData: { file, setUp: SET_UP_SQLITE } satisfies CheckpointData,
    execArgv: [],
  });
  thread.unref();
  return thread;
}
