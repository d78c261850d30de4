/** Where and with what a run took place: it stands above its table in the README. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { CONTENDERS, ROOT } from './contenders.ts';
import { measureSync } from './slow-disk.ts';

export function describeRun(rounds: number, seconds: number): string {
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const words = ['describe', '--always', '--dirty', '--exclude=*'];
  const commit = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const sync = measureSync().toFixed(2);
  const names = CONTENDERS.flatMap(({ packages }) => packages);
  const versions = names.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return `${machine}; Linux ${release()}; Node ${process.versions.node}; wrk; ${day}; commit ${commit}; ${rounds} rounds
of ${seconds} s; a sync of the disk takes ${sync} ms. ${versions}.`;
}

function versionOf(name: string): string {
  const file = join(ROOT, 'bench/node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
