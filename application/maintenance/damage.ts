/**
 * Checks a SQLite file for damage: invalid pages, indexes that differ from their tables, and references to missing
 * rows. SQLite has no checksums, so changed text on an intact page is not found.
 *
 * While the service runs, a child process with the lowest priority does this: check-damage.ts. A thread could not
 * be interrupted. While the check reads, the write-ahead log only grows.
 */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { OpenOptions } from 'seeother/database';
import { isDamage } from 'seeother/sqlite';

const LOWEST_PRIORITY = 19;
/** Beside this file, also in the bundle. */
const PROGRAM = join(import.meta.dirname, `check-damage${extname(import.meta.filename)}`);

/** The first damage found, or null. It reads the whole file: 90 MB take about 3 s. */
export function findDamage(database: DatabaseSync): string | null {
  try {
    const [row] = database.prepare('pragma integrity_check(1)').all();
    const found = String(row?.['integrity_check']).replaceAll('\n', ' ');
    if (found !== 'ok') return found;
    const orphan = database.prepare('pragma foreign_key_check').get();
    return orphan === undefined
      ? null
      : `a row of ${orphan['table']} refers to one that is missing`;
  } catch (error) {
    // Some damage makes the check itself fail.
    if (error instanceof Error && isDamage(error)) return error.message;
    throw error;
  }
}

/** Reports damage, or why the file cannot be checked. */
export async function checkForDamage(
  file: string,
  report: NonNullable<OpenOptions['report']>,
): Promise<void> {
  // The options of this process may be meant for it alone.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const running = promisify(execFile)(process.execPath, [PROGRAM, file], { env });
  const { child } = running;
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    if (child.pid !== undefined) lowerPriority(child.pid);
    const { stdout: damage } = await running;
    if (damage === '') return;
    report({
      message: `The database ${file} is damaged: ${damage}. Restore the last good backup.`,
    });
  } catch (error) {
    report({ message: `Cannot check the database ${file} for damage.`, error });
  } finally {
    process.off('exit', kill);
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOWEST_PRIORITY);
  } catch {
    // The systemd unit forbids it, or the process has ended.
  }
}
