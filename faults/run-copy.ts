/**
 * Runs the command `npm run database -- copy` as a process: to its end, or killed at a moment when some
 * of the rows have reached the target.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { peakOf } from './start-paper-site.ts';

const COMMAND = join(import.meta.dirname, '..', 'scripts', 'database.ts');
/** A copy counts as begun when the target has this many bytes. */
const ARRIVED = 2_000_000;

export interface Copy {
  readonly output: string;
  readonly milliseconds: number;
  /** Null if the system does not report it. */
  readonly megabytes: number | null;
}

export async function runCopy(from: string, to: string): Promise<Copy> {
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'copy', from, to], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let kibibytes: number | null = null;
  const watch = setInterval(() => {
    kibibytes = peakOf(child.pid) ?? kibibytes;
  }, 50);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  clearInterval(watch);
  if (code !== 0) throw new Error(`The copy ended with ${code}.`);
  const megabytes = kibibytes === null ? null : Math.round(kibibytes / 1_000);
  return { output, milliseconds: performance.now() - start, megabytes };
}

/** At a different moment each time. */
export async function killCopy(from: string, to: string): Promise<void> {
  const before = await sizeOf(to);
  const child = spawn(process.execPath, [COMMAND, 'copy', from, to], { stdio: 'ignore' });
  const ended = once(child, 'close');
  while ((await sizeOf(to)) < before + ARRIVED && child.exitCode === null) await sleep(10);
  await sleep(Math.random() * 500);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') throw new Error('The copy was done before it could be killed.');
}

/** Bytes of the items, including uncommitted ones. */
async function sizeOf(url: string): Promise<number> {
  if (url.startsWith('sqlite:')) {
    const log = `${url.slice('sqlite:'.length)}-wal`;
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  }
  const size = "select coalesce(pg_relation_size(to_regclass('items')), 0)::integer as size";
  return Number((await runSql(url, size))[0]?.['size']);
}
