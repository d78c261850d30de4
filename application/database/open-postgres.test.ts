/** What a start on PostgreSQL refuses: one line each, and never the password. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { StartError } from '../settings/start-error.ts';
import { ENGINES } from '../testing/open-test-database.ts';
import {
  createBarePostgresDatabase,
  runSql,
  shareCluster,
  startCluster,
} from '../testing/postgres/cluster.ts';
import { findFreePort } from '../testing/postgres/find-free-port.ts';
import { runApplication, startApplication } from '../testing/start-application.ts';
import { DatabaseAway, openDatabase } from './open-database.ts';

const [, { skip }] = ENGINES;
/** What an instance holds while it migrates. */
const LOCK_MIGRATIONS = 'select pg_advisory_lock(5334303, 0)';

async function assertRefused(url: string, why: RegExp, mayComeLater = false): Promise<void> {
  await assert.rejects(openDatabase(url), (error) => {
    assert.ok(error instanceof StartError, `not a StartError: ${inspect(error)}`);
    assert.equal(error instanceof DatabaseAway, mayComeLater);
    assert.match(error.message, /^Cannot open the database postgres:\/\/[\w.:,]+\/\w*: \P{Cc}+$/u);
    assert.match(error.message, why);
    const { password } = new URL(url);
    assert.ok(!inspect(error, { depth: 9 }).includes(password), 'the password is shown');
    return true;
  });
}

test('a server that acknowledges before it syncs is refused', { skip }, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  const name = new URL(url).pathname.slice(1);
  await runSql(url, `alter database ${name} set synchronous_commit = off`);
  await assertRefused(url, /synchronous_commit is off there/);
  await runSql(url, `alter database ${name} set synchronous_commit = local`);
  await (await openDatabase(url)).close();
});

test('a wrong password, database, host or port is refused with an explanation', {
  skip,
}, async () => {
  const address = await shareCluster();
  await assertRefused(`${address}/nothing`, /has no database of that name/);
  const { host } = new URL(address);
  await assertRefused(`postgres://postgres:hunter2@${host}/postgres`, /refuses the password/);
  await assertRefused(
    'postgres://postgres:hunter2@127.0.0.1:1/postgres',
    /no server listens/,
    true,
  );
});

test('the start waits for an unreachable server, and reports it once', { skip }, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  const { hostname, port } = new URL(url);
  const ownPort = await findFreePort();
  const run = runApplication({ DATABASE_URL: url.replace(`:${port}/`, `:${ownPort}/`), PORT: '0' });
  t.after(() => run.process.kill('SIGKILL'));
  assert.match(await run.match(/"message":"(Waiting [^"]+)/), /no server listens there/);
  const forwarder = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    pipeline(socket, upstream, socket, () => {});
  }).listen(ownPort, '127.0.0.1');
  await once(forwarder, 'listening');
  const site = await run.match(/Listening on (http:\S+)/);
  assert.equal((await fetch(`${site}/readyz`)).status, 200);
  assert.equal(run.output().errors.split('\n').length, 3);
  run.process.kill('SIGTERM');
  await run.ended;
  forwarder.close();
});

test('text is compared byte by byte, regardless of the server’s locale', { skip }, async () => {
  const address = await shareCluster();
  const columns = await runSql(
    `${address}/template1`,
    `select table_name, column_name from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%'
      and data_type = 'text' and collation_name is distinct from 'C'`,
  );
  assert.deepEqual(columns, []);
});

test('the application runs on PostgreSQL by DATABASE_URL alone', { skip }, async (t) => {
  const site = await startApplication({}, 'postgres');
  t.after(() => site.process.kill('SIGKILL'));
  const ready = await fetch(`${site.url}/readyz`);
  const items = await (await fetch(`${site.url}/items`)).text();
  const rows = await runSql(site.databaseUrl, 'select name from items');
  assert.equal(await site.stop(), 0);
  assert.equal(ready.status, 200);
  assert.match(items, /Label printer/);
  assert.equal(rows.length, 6);
  assert.ok(!JSON.stringify(site.output()).includes(new URL(site.databaseUrl).password));
});

test('an instance that starts during another’s migration waits for it', { skip }, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  const migrating = new pg.Client({ connectionString: url });
  await migrating.connect();
  await migrating.query(LOCK_MIGRATIONS);
  let opened = false;
  const opening = openDatabase(url).finally(() => {
    opened = true;
  });
  const waits = 'select 1 from pg_locks where not granted';
  while (!opened && (await runSql(url, waits)).length === 0);
  assert.deepEqual(await runSql(url, "select 1 from pg_tables where schemaname = 'public'"), []);
  await migrating.end();
  await (await opening).close();
});

test('an instance that starts during a long migration waits for it too', {
  skip,
}, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  const migrating = new pg.Client({ connectionString: url });
  await migrating.connect();
  await migrating.query(LOCK_MIGRATIONS);
  const opening = openDatabase(url);
  // Longer than the answer to any other statement may take.
  await Promise.race([opening, setTimeout(2_600)]);
  await migrating.end();
  await (await opening).close();
});

test('a server of the tests that cannot start is an error, and nothing waits for it', {
  skip,
}, async () => {
  // PostgreSQL refuses an empty password.
  await assert.rejects(startCluster(''), /ended with 1: Cannot make the cluster: /);
});
