/**
 * The results of a run: every sample, with place and time. The table and the plot are made from them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { CONTENDERS, type Name, ROOT } from './contenders.ts';
import { GENERATOR } from './generate-load.ts';
import { median } from './statistics.ts';
import type { FigureName, Sample } from './task.ts';

export interface TaskResult {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly FigureName[];
  /** One sample a round; null when there is none. */
  readonly yardstick: readonly Sample[] | null;
  readonly contenders: Readonly<Partial<Record<Name, readonly Sample[]>>>;
}

export interface Results {
  readonly machine: string;
  readonly system: string;
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly generator: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Milliseconds that a sync of the disk takes. */
  readonly sync: number;
  /** Of every package that a contender names. */
  readonly versions: Readonly<Record<string, string>>;
  readonly tasks: readonly TaskResult[];
}

export type Circumstances = Omit<Results, 'tasks'>;

export function describeRun(own: Pick<Results, 'rounds' | 'seconds' | 'sync'>): Circumstances {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    machine: `${cpu?.model ?? 'unknown'}, ${cpus().length} cores, ${gigabytes} GB`,
    system: `Linux ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    commit: readCommit(),
    node: process.versions.node,
    generator: GENERATOR,
    versions: readVersions(),
    ...own,
  };
}

/** NaN if no contender has this figure. */
export function medianOf(samples: readonly Sample[] | null | undefined, figure: FigureName) {
  const values = (samples ?? []).map((sample) => sample[figure]);
  return median(values.filter((value) => value !== undefined));
}

function readCommit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    // What is measured counts: the framework, the application and the contenders.
    const measured = ['framework', 'application', 'bench/servers', ':!bench/servers/results.json'];
    const changed = git('status', '--porcelain', '--', ...measured);
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}

function readVersions(): Readonly<Record<string, string>> {
  const names = CONTENDERS.flatMap(({ packages }) => packages);
  const versionOf = (name: string): string => {
    const file = join(ROOT, 'bench/node_modules', name, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  };
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]));
}
