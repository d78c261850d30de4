/**
 * The size of a contender's packages, and the time of `npm ci` for it alone, from this package's
 * lock file. npm's cache is warm, so the network does not count.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CONTENDERS, type Name, ROOT } from '../harness/contenders.ts';
import type { Task } from '../harness/task.ts';
import { FOLDER } from '../harness/things.ts';

const PLACE = join(FOLDER, 'install');

export const INSTALL_TASK: Task = {
  name: 'install',
  title: 'installed for the list: size, packages, time of npm ci',
  kind: 'items',
  yardstick: null,
  figures: ['installed', 'packages', 'installing'],
  maxRounds: 1,
  async measure({ name }) {
    if (name === 'raw') return { installed: 0, packages: 0, installing: 0 };
    rmSync(PLACE, { recursive: true, force: true });
    mkdirSync(PLACE, { recursive: true });
    if (name === 'seeother') placeApplication();
    else placeContender(name);
    install();
    const started = performance.now();
    install();
    const installing = (performance.now() - started) / 1_000;
    const packages = countPackages();
    return { installed: sizeOf(PLACE) / 1e6, packages, installing };
  },
};

/** A package of its own, with its share of the lock file. */
function placeContender(name: Name): void {
  const { packages = [] } = CONTENDERS.find((one) => one.name === name) ?? {};
  const { dependencies } = readJson(join(ROOT, 'bench/package.json')) as Manifest;
  const own = Object.fromEntries(packages.map((one) => [one, dependencies[one] ?? '']));
  const manifest = { name: 'installed', version: '1.0.0', private: true, dependencies: own };
  const lock = readJson(join(ROOT, 'bench/package-lock.json')) as Lock;
  writeJson('package.json', manifest);
  writeJson('package-lock.json', { ...lock, packages: { ...lock.packages, '': manifest } });
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}

/** The repository as it is; its tests count too, and so does what development needs not. */
function placeApplication(): void {
  for (const one of ['package.json', 'package-lock.json', 'framework', 'application']) {
    cpSync(join(ROOT, one), join(PLACE, one), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules') && !path.endsWith('.test.ts'),
    });
  }
}

function install(): void {
  const words = [
    'ci',
    '--omit=dev',
    '--omit=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  const { status, stderr } = spawnSync('npm', words, { cwd: PLACE, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot install: ${stderr}`);
}

function countPackages(): number {
  const { packages } = readJson(join(PLACE, 'node_modules/.package-lock.json')) as Lock;
  return Object.keys(packages).length;
}

/** Bytes of all files; what links to elsewhere counts there. */
function sizeOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isSymbolicLink() ? 0 : stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, value: object): void {
  writeFileSync(join(PLACE, file), JSON.stringify(value));
}
