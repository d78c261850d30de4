/**
 * Syncs SQLite's write-ahead log in Node's thread pool, so that the event loop does not wait for the disk. The
 * descriptor is opened before the first write and stays open: Linux reports a failed write only to descriptors
 * that were open at that time.
 */
import { closeSync, fdatasync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Log {
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

/** Syncs a file, or a folder and the names in it. Windows has no descriptors of folders. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
