/**
 * Checkpoints copy the write-ahead log into the database file, so that SQLite overwrites the log from its start.
 * They sync twice, so they run in a thread with its own connection. If the thread cannot start, or ends, a later
 * checkpoint starts another one.
 */
import type { Worker } from 'node:worker_threads';
import type { OpenOptions } from '../database/database.ts';
import { startThread } from './start-thread.ts';

export interface Checkpoints {
  /** To be called after each commit with the size of the log in bytes. */
  readonly note: (size: number) => void;
  readonly close: () => Promise<void>;
}

/** Bytes of the log that trigger a checkpoint, and to which the log is truncated. */
export const LOG_SIZE: number = 16 * 1_048_576;
/** A log of more bytes is reported: a long read keeps it from being overwritten. */
const TOO_LARGE = 64 * 1_048_576;
/**
 * For connections that write. A commit neither syncs the log nor checkpoints: group-commit.ts and this file do
 * that. The other syncs of SQLite flush the cache of the drive on macOS too.
 */
export const SET_UP: string = `pragma journal_mode = wal; pragma synchronous = normal;
  pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${LOG_SIZE};
  pragma fullfsync = on; pragma checkpoint_fullfsync = on`;

/** Tests replace `start`. */
export function createCheckpoints(
  file: string,
  report: NonNullable<OpenOptions['report']>,
  start: () => Worker = () => startThread('checkpoint', file),
): Checkpoints {
  let thread: Worker | null = null;
  /** The size at the last checkpoint. After a complete checkpoint, the next commit truncates the log. */
  let sizeBefore = 0;
  let isTooLarge = false;
  const fail = (error: unknown) => {
    thread = null;
    report({ message: `Cannot checkpoint ${file}: a later commit tries again.`, error });
  };
  return {
    note(size) {
      if (size < sizeBefore) sizeBefore = 0;
      if (size - sizeBefore > LOG_SIZE) {
        sizeBefore = size;
        try {
          if (thread === null) {
            thread = start().on('error', fail);
            thread.unref();
          }
          thread.postMessage('checkpoint');
        } catch (error) {
          fail(error);
        }
      }
      const wasTooLarge = isTooLarge;
      isTooLarge = size > TOO_LARGE;
      if (wasTooLarge || !isTooLarge) return;
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
