/** Starts paper-site.ts, and tells its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export async function startPaperSite(database: string, place: string, maxSize = 200_000) {
  const program = join(import.meta.dirname, 'paper-site.ts');
  const child = spawn(process.execPath, [program, database, place, `${maxSize}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout, 'data');
  return {
    url: String(line).trim(),
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The largest resident memory of a process so far, in KiB; null if the system does not report it: only Linux does. */
export function peakOf(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) || null;
  } catch {
    return null;
  }
}
