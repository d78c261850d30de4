/**
 * Syncs SQLite's write-ahead log in Node's thread pool, so that the event loop does not wait for the disk. The
 * descriptor is opened before the first write and stays open: Linux reports a failed write only to descriptors
 * that were open at that time.
 */
import { closeSync, fdatasync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnavailable } from '../database/database.ts';

/** Bytes that `rewrite` copies at once. */
const CHUNK = 1_048_576;

export interface Log {
  /**
   * Writes the content of the log once more, so that the next sync covers all of it. After a sync that failed, the
   * kernel may take pages for saved that it has only in memory, and no later sync would write them. The caller
   * holds SQLite's lock for writes.
   */
  readonly rewrite: () => void;
  /** Resolves when everything written to the log is on disk. Never call it again after a rejection. */
  readonly sync: () => Promise<void>;
  /** In bytes. */
  readonly size: () => number;
  readonly close: () => void;
}

/**
 * `file` is the path of the database without symbolic links. A connection that has read from it must be open, so
 * that the log exists and is not deleted.
 */
export function openLog(file: string): Log {
  // Windows flushes only writable descriptors.
  const descriptor = openSync(`${file}-wal`, 'r+');
  syncPath(dirname(file));
  return {
    rewrite: () => rewrite(descriptor),
    // libuv flushes the cache of the drive too: F_FULLFSYNC on macOS.
    sync() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
      return promise;
    },
    size: () => fstatSync(descriptor).size,
    close: () => closeSync(descriptor),
  };
}

function rewrite(descriptor: number): void {
  const chunk = Buffer.alloc(CHUNK);
  try {
    for (let position = 0; ; ) {
      const end = readSync(descriptor, chunk, 0, CHUNK, position);
      if (end === 0) return;
      for (let start = 0; start < end; )
        start += writeSync(descriptor, chunk, start, end - start, position + start);
      position += end;
    }
  } catch (cause) {
    const disk = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'full' : 'fails';
    throw new DatabaseUnavailable(`its log cannot be written once more: ${cause}`, { cause, disk });
  }
}

/**
 * Syncs a file, or a folder and the names in it. Does nothing on Windows, which has no descriptors of folders and
 * flushes only writable ones.
 */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
