/**
 * Support for the tests of projects: makes them outside the repository, in a folder that has the packages
 * that `npm install` would bring to each, and runs their commands. The folder is removed after the tests.
 */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Environment } from '../application/settings/config.ts';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { packFramework } from '../scripts/pack-framework.ts';
import { ROOT } from '../scripts/project-files.ts';

const CREATE = join(ROOT, 'create', 'index.js');
export const FOLDER = mkdtempSync(join(tmpdir(), 'create-seeother-'));
export const ENVIRONMENT = { ...BARE_ENVIRONMENT, npm_config_update_notifier: 'false' };
const shell = process.platform === 'win32';

after(() => rmSync(FOLDER, { recursive: true }));

// Every project finds these packages: the packed framework, and those of this repository.
packFramework(join(FOLDER, 'node_modules/seeother'));
mkdirSync(join(FOLDER, 'node_modules/@types'));
mkdirSync(join(FOLDER, 'node_modules/@fastify'));
mkdirSync(join(FOLDER, 'node_modules/@simplewebauthn'));
const PACKAGES = [
  '.bin',
  '@types/node',
  'typescript',
  'pg',
  '@fastify/busboy',
  '@simplewebauthn/server',
  'jose',
  'nodemailer',
  'openid-client',
  'otpauth',
  'qr',
];
for (const name of PACKAGES)
  symlinkSync(join(ROOT, 'node_modules', name), join(FOLDER, 'node_modules', name), 'junction');

export function create(
  args: readonly string[],
  environment: Environment = ENVIRONMENT,
): SpawnSyncReturns<string> {
  const options = { cwd: FOLDER, env: environment, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [CREATE, ...args], options);
}

/** Resolves the folder of a new project. */
export function createProject(...args: readonly string[]): string {
  const { status, stderr } = create([...args, '--no-install']);
  assert.equal(status, 0, stderr);
  return join(FOLDER, args[0] ?? '');
}

export function readPackage(project: string) {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
}

/** Gives the database ten times as long as by default, because a busy machine is slow. */
export function waitLonger(project: string): void {
  const file = join(project, 'open-database.ts');
  const source = readFileSync(file, 'utf8');
  const patient = source.replaceAll(/parsePostgresUrl\(\w+\), \{/g, '$& timeout: 20_000,');
  assert.notEqual(patient, source);
  writeFileSync(file, patient);
}

/** Runs `npm test` of the project: its types, then its tests. */
export function runTests(cwd: string, count: number, environment = {}): void {
  const env = { ...ENVIRONMENT, ...environment };
  const { status, stdout, stderr } = spawnSync('npm', ['test'], {
    cwd,
    env,
    encoding: 'utf8',
    shell,
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, new RegExp(`^\\S+ pass ${count}$`, 'm'));
}

/** Runs the command of `npm start`, on a free port by default. `stop` is its own signal to end; `kill` allows none. */
export async function startProject(cwd: string, environment = {}) {
  const [, ...args] = readPackage(cwd).scripts.start.split(' ');
  const env = { ...ENVIRONMENT, PORT: '0', ...environment };
  const child = spawn(process.execPath, args, { cwd, env });
  const closed = once(child, 'close');
  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const url = /Listening on (http:\S+)\n/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  child.on('close', () => reject(new Error(`It ended before it listened: ${output}`)));
  const url = await listening;
  return {
    url,
    log: () => output,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async stop() {
      child.kill('SIGTERM');
      const end = await closed;
      if (!shell) assert.deepEqual(end, [0, null], output);
    },
  };
}
