/**
 * Runs the rounds in namespaces of their own: a network without a way out, mounts, and processes that all end with the
 * first one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMissing, requireProgram } from '../../deploy/find-program.ts';

const PROGRAMS = ['unshare', 'ip', 'setpriv', 'etcd', 'patroni', 'haproxy', 'pgbouncer'];

export async function runCluster(way: string, rounds: number): Promise<object> {
  const missing = describeMissing(PROGRAMS);
  if (missing !== null) throw new Error(missing);
  if (process.getuid?.() !== 0) throw new Error('Run it as root: it makes three machines.');
  const folder = mkdtempSync(join(tmpdir(), 'seeother-cluster-'));
  // For the user postgres.
  chmodSync(folder, 0o755);
  const apart = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const child = spawn(
    requireProgram('unshare'),
    // The shell, as the first process, buries those whose parents were killed; Node would not.
    [
      ...apart,
      'bash',
      '-c',
      '"$@"; exit $?',
      '-',
      process.execPath,
      join(import.meta.dirname, 'rounds.ts'),
      folder,
      way,
      String(rounds),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (chunk.startsWith('|')) process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  const report = output.trimEnd().split('\n').at(-1) ?? '';
  if (code !== 0 || !report.startsWith('{'))
    throw new Error(`The rounds ended with ${code}. The logs are in ${folder}.`);
  // Its disks were unmounted when the namespace ended.
  rmSync(folder, { recursive: true });
  return JSON.parse(report);
}
