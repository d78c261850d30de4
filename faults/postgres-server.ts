/**
 * A PostgreSQL server for faults: it can be stopped, frozen, restarted, copied to a standby that
 * follows it, and promoted. It keeps what it has acknowledged (fsync is on), as in production.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { findPrograms } from '../application/testing/postgres/find-programs.ts';

/**
 * PostgreSQL refuses to run as root. In that case it runs as the user nobody, with a copy of its
 * programs.
 */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export interface PostgresServer {
  readonly port: number;
  readonly data: string;
  readonly start: () => Promise<void>;
  /** `fast` aborts running statements; `immediate` is like a power loss. */
  readonly stop: (how: 'fast' | 'immediate') => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/** A folder for the servers, with their programs in it. */
export function preparePrograms(folder: string): string {
  const bin = findPrograms();
  if (bin === null) throw new Error('There is no package of PostgreSQL for this platform.');
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  cpSync(dirname(bin), programs, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  return join(programs, 'bin');
}

/**
 * A new server with the user and the password "postgres", not started yet. `settings` are lines of a
 * postgresql.conf.
 */
export async function createPostgresServer(
  folder: string,
  bin: string,
  settings = '',
): Promise<PostgresServer> {
  const home = join(folder, 'primary');
  makeOpenFolder(home);
  const password = join(home, 'password');
  writeFileSync(password, 'postgres');
  const options = ['-U', 'postgres', '--auth=password', `--pwfile=${password}`, '--locale=C'];
  const data = join(home, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '--encoding=UTF8', '--no-instructions', ...options],
    { ...identity, cwd: home, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`Cannot make the server: ${made.error ?? made.stderr}`);
  writeFileSync(join(data, 'pg_hba.conf'), 'host all,replication all 127.0.0.1/32 password\n');
  appendFileSync(join(data, 'postgresql.conf'), settings);
  return controlServer(home, bin, await findFreePort());
}

/** A started server, in a folder of its own. */
export async function startPostgresServer() {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const bin = preparePrograms(folder);
  const server = await createPostgresServer(folder, bin);
  await server.start();
  const remove = async () => {
    await server.stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, folder, bin, remove };
}

/** A synchronous standby: the primary waits for it at each commit, so it has everything acknowledged. */
export async function createStandby(
  folder: string,
  bin: string,
  primary: PostgresServer,
  settings = '',
): Promise<PostgresServer> {
  const home = join(folder, 'standby');
  makeOpenFolder(home);
  const client = new pg.Client(addressOf(primary, 'postgres'));
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  cpSync(primary.data, join(home, 'data'), {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/.+/.test(path),
  });
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  const data = join(home, 'data');
  writeFileSync(join(data, 'backup_label'), rows[0].labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.conf'), settings);
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=postgres application_name=standby'\n`,
  );
  if (isRoot) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, home]);
  chmodSync(data, 0o700);
  const standby = controlServer(home, bin, await findFreePort());
  await standby.start();
  await client.query("alter system set synchronous_standby_names = 'standby'");
  await client.query('select pg_reload_conf()');
  for (let state = ''; state !== 'sync'; await sleep(50)) {
    const { rows: links } = await client.query('select sync_state from pg_stat_replication');
    state = links[0]?.sync_state ?? '';
  }
  await client.end();
  return standby;
}

export async function promote(standby: PostgresServer): Promise<void> {
  const client = new pg.Client(addressOf(standby, 'postgres'));
  await client.connect();
  await client.query('select pg_promote()');
  await client.end();
}

/** The address of one server, or of several in this order. */
export function addressOf(servers: PostgresServer | readonly PostgresServer[], name: string) {
  const hosts = [servers].flat().map((server) => `127.0.0.1:${(server as PostgresServer).port}`);
  const query = hosts.length > 1 ? '?target_session_attrs=read-write' : '';
  return `postgres://postgres:postgres@${hosts.join(',')}/${name}${query}`;
}

function controlServer(home: string, bin: string, port: number): PostgresServer {
  const data = join(home, 'data');
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  let server: ChildProcess | undefined;
  const signal = (name: NodeJS.Signals) => void server?.kill(name);
  return {
    port,
    data,
    async start() {
      const log = openSync(join(home, 'log'), 'a');
      server = spawn(
        join(bin, 'postgres'),
        ['-D', data, ...settings.flatMap((one) => ['-c', one])],
        { ...identity, cwd: home, stdio: ['ignore', log, log] },
      );
      const ended = once(server, 'exit').then(() => {
        throw new Error(`The server ended: see ${home}/log.`);
      });
      await Promise.race([untilItAnswers(port), ended]);
      ended.catch(() => {});
    },
    async stop(how) {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      signal(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    freeze: () => forAll(server, 'SIGSTOP'),
    thaw: () => forAll(server, 'SIGCONT'),
  };
}

/** The server and the processes of its connections; all must be stopped to freeze it. */
function forAll(server: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (server?.pid === undefined) return;
  const children = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).stdout;
  for (const pid of [server.pid, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // A connection that was closed meanwhile has no process.
    }
  }
}

async function untilItAnswers(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const client = new pg.Client(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(20);
    }
  }
  throw new Error(`The server on port ${port} does not answer.`);
}

function makeOpenFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}
