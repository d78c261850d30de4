/**
 * The database file itself. Only this user can read it, because it may contain password hashes. It is checked
 * before writes, because writes to an open file that was deleted or replaced are lost when the process ends.
 */
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnavailable, type OpenOptions } from '../database/database.ts';

const OTHERS = 0o077;

/** Creates the file and missing folders. SQLite gives the log and the shared memory the same permissions. */
export function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or cannot be created: SQLite then reports why.
  }
}

/** Removes the permissions of other users from the open file, its log and its shared memory. */
export function closeToOthers(file: string): void {
  // Windows does not use these bits.
  if (process.platform === 'win32') return;
  const real = realpathSync(file);
  for (const path of [real, `${real}-wal`, `${real}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      process.emitWarning(
        `Other users of this machine have rights on ${path}, and they cannot be taken away: ${error}. Have its owner run "chmod 600 ${path}".`,
      );
    }
  }
}

/**
 * For a database whose log exists. The function throws a `DatabaseUnavailable` while the file at one of the two
 * paths is missing or is another one, and reports this once. It takes about 4 µs.
 */
export function createFileGuard(
  file: string,
  report: NonNullable<OpenOptions['report']>,
): () => void {
  const paths = [file, `${realpathSync(file)}-wal`];
  const opened = paths.map(identify);
  let isReported = false;
  return () => {
    const index = paths.findIndex((path, place) => identify(path) !== opened[place]);
    if (index === -1) {
      isReported = false;
      return;
    }
    const error = new DatabaseUnavailable(
      `${paths[index]} was deleted, moved or replaced while it was open, so that nothing more is saved. Move it back; or end the service, restore a backup and start it.`,
    );
    if (!isReported) report({ message: error.message });
    isReported = true;
    throw error;
  };
}

/** Device and inode. */
function identify(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
