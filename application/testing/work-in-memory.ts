/**
 * Puts the temporary files of tests in memory. Most of them live for less than a second, and a disk takes more time
 * for them than all that is tested: to create a database of PostgreSQL took 0.3 s of CPU there, and takes 0.02 s.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Bytes. A phase takes less than one of these four GiB. */
const NEEDED = 4 * 1024 ** 3;

/** Sets TMPDIR for this process and its children, unless it is set or there is no such memory; undoes it. */
export function workInMemory(): () => void {
  if (process.env['TMPDIR'] !== undefined || !isFit()) return () => {};
  const folder = mkdtempSync(join(MEMORY, 'seeother-'));
  // The user of PostgreSQL has a folder in it.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Tests also start programs there, which containers may forbid. */
function isFit(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > NEEDED;
  } catch {
    return false;
  }
}
