/**
 * The SQLite file holds password hashes and everything else: only the user of the service may read it.
 * SQLite gives the log and the shared memory beside it the rights of the file, so the file gets its
 * rights when it is made; what was made with others gets them afterwards.
 */
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const OTHERS = 0o077;

/** Makes the file and the folders on the way to it where there are none. */
export function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It is there, or cannot be made: SQLite says what is wrong then.
  }
}

/** Takes the rights of others away from the file and what SQLite keeps beside it. */
export function closeToOthers(file: string): void {
  // The bits say nothing on Windows.
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
