/**
 * The PostgreSQL server of the tests. `npm test` starts one, and its global setup passes the
 * address in TEST_POSTGRES. A single test file starts its own. The server stops when its parent
 * process ends.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';

export interface Cluster {
  /** Such as `postgres://postgres:secret@127.0.0.1:41234`, without the name of a database. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

let started: Promise<Cluster> | undefined;

/** Resolves to the address of the server that all tests of this process share. */
export async function shareCluster(): Promise<string> {
  const known = process.env['TEST_POSTGRES'];
  if (known !== undefined) return known;
  started ??= startCluster();
  return (await started).address;
}

/** Starts another server. Stopping it is optional: it stops when this process ends. */
export async function startCluster(password?: string): Promise<Cluster> {
  const program = join(import.meta.dirname, 'keep-cluster.ts');
  const chosen = password === undefined ? [] : [password];
  const keeper = spawn(process.execPath, [program, ...chosen], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [line] = await Promise.race([
    once(keeper.stdout.setEncoding('utf8'), 'data') as Promise<[string]>,
    once(keeper, 'close').then(([code]) => {
      throw new Error(`The PostgreSQL server of the tests ended with ${code}: ${errors}`);
    }),
  ]);
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr])
    (stream as unknown as { unref: () => void }).unref();
  return {
    address: line.trim(),
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      await once(keeper, 'exit');
    },
  };
}

export interface PostgresDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** The addresses of emptied databases, to be used again. */
const used: string[] = [];

/**
 * An empty database with all tables. `drop` empties it for another test, ten times as fast as
 * dropping.
 */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const url = used.pop() ?? (await createNamed('template1')).url;
  const drop = async () => {
    await runSql(url, EMPTY);
    used.push(url);
  };
  return { url, drop };
}

/** Deletes all rows but those that migrations write. `replica` turns off foreign keys. */
export const EMPTY = `do $$ declare one text; begin
  set local session_replication_role = replica;
  for one in select tablename from pg_tables where schemaname = 'public'
    and tablename not like 'kysely%' and tablename != 'revisions' loop
    execute format('delete from %I', one);
  end loop;
end $$`;

/** A database without tables. */
export function createBarePostgresDatabase(): Promise<PostgresDatabase> {
  return createNamed('template0');
}

async function createNamed(template: string): Promise<PostgresDatabase> {
  const address = await shareCluster();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runSql(
    `${address}/postgres`,
    `create database ${name} template ${template} strategy file_copy`,
  );
  return {
    url: `${address}/${name}`,
    async drop() {
      const drop = `drop database ${name}`;
      // `end` of a pool does not wait until its connections are closed. `drop database` waits for them, up to 5 s.
      await runSql(`${address}/postgres`, drop).catch(() =>
        runSql(`${address}/postgres`, `${drop} with (force)`),
      );
    },
  };
}

/** Runs SQL on a new connection, as another program would. */
export async function runSql(
  url: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
