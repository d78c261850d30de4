/**
 * Syncs SQLite's write-ahead log in Node's thread pool, so that the event loop does not wait for the
 * disk. The descriptor stays open from before the first write: Linux reports a failed write only to
 * descriptors that were open then.
 */
import { closeSync, fdatasync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Log {
  /** Resolves when all that was written to the log is on disk. Never call it again after it rejected. */
  readonly sync: () => Promise<void>;
  /** In bytes. */
  readonly size: () => number;
  readonly close: () => void;
}

/**
 * `file` is the path of the database without symbolic links. A connection that has read it is open, so
 * the log exists, and is not removed before that connection is closed.
 */
export function openLog(file: string): Log {
  // Windows flushes only descriptors that may write.
  const descriptor = openSync(`${file}-wal`, 'r+');
  syncPath(dirname(file));
  return {
    // libuv goes through the cache of the drive too: F_FULLFSYNC on macOS.
    sync() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
      return promise;
    },
    size: () => fstatSync(descriptor).size,
    close: () => closeSync(descriptor),
  };
}

/** Syncs a file, or a folder with the names in it. Windows has no descriptors of folders. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
