/**
 * Checks a SQLite file for damage while the service runs. That reads the whole file, so a process of its
 * own does it, with the lowest priority. A thread could not be ended before its statement is done, and the
 * service would wait for it at its end. During the check the write-ahead log only grows.
 */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ErrorEntry } from '../process/error-line.ts';

const PROGRAM = join(import.meta.dirname, 'print-damage.ts');
const LOWEST_PRIORITY = 19;

/** Reports what is wrong, or why it cannot be checked; nothing when the file is whole. */
export async function checkForDamage(
  file: string,
  report: (entry: ErrorEntry) => void,
): Promise<void> {
  // Options that this process was started with may be meant for it alone.
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
    // The systemd unit forbids it, and the process may have ended: it goes on as it is.
  }
}
