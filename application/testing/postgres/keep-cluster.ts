/**
 * Runs a PostgreSQL server for tests. This program writes the address of the server to standard
 * output. When standard input ends, it stops the server and deletes its files. So no server remains
 * even if the tests crash.
 *
 * PostgreSQL refuses to run as root. As root, this program runs it as the user `nobody`, and copies
 * the programs to a folder that `nobody` can read.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../database/open-database.ts';
import { findFreePort } from './find-free-port.ts';
import { findPrograms } from './find-programs.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
/** Test data need not survive a crash, so the tests run without durability. */
const QUICK = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'shared_buffers=32MB',
  'autovacuum=off',
  'deadlock_timeout=100ms',
];
/** Milliseconds to wait for the server to start. */
const START = 30_000;
/** Ten times the default, because a busy machine is slow. */
const PATIENT = { timeout: 20_000 };

const folder = mkdtempSync(join(tmpdir(), 'seeother-postgres-'));
const data = join(folder, 'data');
const log = join(folder, 'log');

try {
  await keep();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  // After a failure it is still open, and would keep this process, for whose end the tests wait.
  process.stdin.destroy();
}

async function keep(): Promise<void> {
  const ended = Promise.race([
    once(process.stdin.resume(), 'close'),
    // The terminal sends Ctrl-C to this process too.
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
  ]);
  const password = process.argv[2] ?? randomBytes(12).toString('hex');
  const bin = copyWhereReadable(requirePrograms());
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 });
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=password',
      `--pwfile=${join(folder, 'password')}`,
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      '--set=scram_iterations=1',
    ],
    { ...identity, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`Cannot make the cluster: ${made.error ?? made.stderr}`);
  const port = await findFreePort();
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...QUICK,
  ];
  const output = openSync(log, 'a');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...options.flatMap((one) => ['-c', one])],
    {
      ...identity,
      cwd: folder,
      stdio: ['ignore', output, output],
    },
  );
  try {
    const address = `postgres://postgres:${password}@127.0.0.1:${port}`;
    await untilReady(server);
    await (await openDatabase(`${address}/template1`, PATIENT)).close();
    process.stdout.write(`${address}\n`);
    await Promise.race([ended, once(server, 'exit')]);
  } finally {
    // SIGQUIT stops the server without a checkpoint.
    if (server.exitCode === null && server.kill('SIGQUIT')) await once(server, 'exit');
  }
}

function requirePrograms(): string {
  const bin = findPrograms();
  if (bin === null) throw new Error('There is no package of PostgreSQL for this platform.');
  return bin;
}

async function untilReady(server: ChildProcess): Promise<void> {
  for (let waited = 0; waited < START; waited += 20) {
    const text = readFileSync(log, 'utf8');
    if (text.includes('database system is ready to accept connections')) return;
    if (server.exitCode !== null) break;
    await setTimeout(20);
  }
  throw new Error(`Cannot start PostgreSQL: ${readFileSync(log, 'utf8')}`);
}

/**
 * The folder of the programs, or a copy of it if the user `nobody` cannot read a folder above it.
 */
function copyWhereReadable(bin: string): string {
  const root = dirname(bin);
  if (!isRoot || isOpen(root)) return bin;
  const copy = join(folder, 'programs');
  mkdirSync(copy);
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function isOpen(path: string): boolean {
  const readable = existsSync(path) && (statSync(path).mode & 0o005) === 0o005;
  return readable && (dirname(path) === path || isOpen(dirname(path)));
}
