/**
 * The write-ahead log of a SQLite file, as far as it is synced without SQLite: in Node's thread pool,
 * so that the event loop does not wait for the disk.
 *
 * The descriptor is opened before the first write and stays open, because Linux reports a write that
 * failed only to descriptors that were open then.
 */
import { closeSync, fdatasync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SqliteLog {
  /** Resolves when all that was written to the log is on disk. Never call it again when it rejected. */
  readonly sync: () => Promise<void>;
  /** In bytes. */
  readonly size: () => number;
  readonly close: () => void;
}

/**
 * `file` is the path of the database as SQLite knows it, without symbolic links. A connection that has
 * read it is open: so the log exists, and is not removed before that connection is closed.
 */
export function openSqliteLog(file: string): SqliteLog {
  // Windows flushes only what may be written to.
  const descriptor = openSync(`${file}-wal`, 'r+');
  syncFolder(dirname(file));
  return {
    sync: () => syncData(descriptor),
    size: () => fstatSync(descriptor).size,
    close: () => closeSync(descriptor),
  };
}

/** Also through the cache of the drive: libuv asks macOS for F_FULLFSYNC, and Windows to flush. */
function syncData(descriptor: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  return promise;
}

/** A new file can be lost with its name, which is in the folder. Windows has no such sync. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
