/** The doctor, asked about a PostgreSQL server. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { openDatabase } from '../application/database/open-database.ts';
import { ENGINES, openTestDatabase } from '../application/testing/open-test-database.ts';
import {
  createBarePostgresDatabase,
  runSql,
  shareCluster,
} from '../application/testing/postgres/cluster.ts';
import { createProxy } from '../application/testing/postgres/create-proxy.ts';
import { runDoctor } from './run-doctor.ts';

const [, { skip }] = ENGINES;

/** What the doctor says of the database at that address, without a word of its password. */
async function examine(url: string, environment: Readonly<Record<string, string>> = {}) {
  const findings = await runDoctor({ PORT: '0', DATABASE_URL: url, ...environment });
  const [, password = ''] = /:([^:@/]+)@/.exec(url) ?? [];
  assert.notEqual(password, '');
  assert.ok(!findings.output.includes(password), 'the password is shown');
  return findings;
}

async function createBare(t: TestContext): Promise<string> {
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  return url;
}

test('a server has lines for host, engine, durability, clock, connections and migrations', {
  skip,
}, async (t) => {
  const { url } = await openTestDatabase(t, 'postgres');
  const { code, has } = await examine(url, { WORKERS: '2' });
  assert.equal(code, 0);
  has(
    /^good {2}database postgres:\/\/127\.0\.0\.1:\d+\/test_\w+: the service uses 127\.0\.0\.1:\d+\.$/,
  );
  has(/^good {2}engine PostgreSQL 18\.\d+: 15 or newer is needed\.$/);
  has(/^note {2}fsync off: /);
  has(/^good {2}encoding UTF8: /);
  has(/^good {2}its clock is 0\.\d s from the local one\.$/);
  has(/^good {2}WORKERS=2 may open 26 connections, and the server has 297 for all its users\.$/);
  has(/^good {2}the connection is not encrypted, but does not leave this machine\.$/);
  has(/^good {2}migrations: all \d+ have run\.$/);
  has(/^note {2}there is no account yet/);
  const production = await examine(url, { NODE_ENV: 'production', ALLOW_HTTP: '1' });
  assert.equal(production.code, 1);
  production.has(/^bad {3}fsync off: .* Set it to on\.$/);
});

test('a new database is good, and nothing is created in it', { skip }, async (t) => {
  const url = await createBare(t);
  const { code, has } = await examine(url);
  assert.equal(code, 0);
  has(/^note {2}migrations: \d+ missing; the start runs them\.$/);
  assert.deepEqual(await runSql(url, "select 1 from pg_tables where schemaname = 'public'"), []);
});

test('a database of another version, or whose user cannot create tables, is bad', {
  skip,
}, async (t) => {
  const later = await createBare(t);
  await (await openDatabase(later)).close();
  await runSql(later, "insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  const newer = await examine(later);
  assert.equal(newer.code, 1);
  newer.has(/^bad {3}migrations: 9999-later is not known here/);
  await runSql(
    later,
    "insert into kysely_migration (name, timestamp) values ('0001-first-tables', '')",
  );
  (await examine(later)).has(/^bad {3}migrations: this database is from before 0\.2\.0/);

  const address = new URL(await createBare(t));
  const [name, password] = ['a', 'b'].map(() => `x${randomBytes(8).toString('hex')}`);
  await runSql(address.href, `create role ${name} login password '${password}'`);
  const cluster = `${await shareCluster()}/postgres`;
  t.after(() => runSql(cluster, `drop role ${name}`));
  const theirs = `postgres://${name}:${password}@${address.host}${address.pathname}`;
  (await examine(theirs)).has(/^bad {3}migrations: .* cannot create tables\. Make it the owner/);
});

test('a server that is not durable, or does not accept every text, is bad', {
  skip,
}, async (t) => {
  const url = await createBare(t);
  await runSql(
    url,
    `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
  );
  const hasty = await examine(url);
  assert.equal(hasty.code, 1);
  hasty.has(/^bad {3}synchronous_commit off: .* Set it to on for this database\.$/);

  const address = await shareCluster();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runSql(`${address}/postgres`, `create database ${name} encoding latin1 template template0`);
  t.after(() => runSql(`${address}/postgres`, `drop database ${name}`));
  const narrow = await examine(`${address}/${name}`);
  assert.equal(narrow.code, 1);
  narrow.has(/^bad {3}encoding LATIN1: .* Create the database again/);
});

test('needing more connections than the server allows is bad', { skip }, async (t) => {
  const url = await createBare(t);
  const few = await examine(url, { WORKERS: '20' });
  assert.equal(few.code, 0);
  few.has(/^note {2}WORKERS=20 may open 260 connections, .*: too few for a second instance/);
  const fewer = await examine(url, { WORKERS: '30' });
  assert.equal(fewer.code, 1);
  fewer.has(/^bad {3}WORKERS=30 may open 390 connections, .* Raise max_connections, or lower W/);
});

test('an unusable server is bad, with the reason and the remedy', { skip }, async (t) => {
  const url = await createBare(t);
  const { host, password, pathname } = new URL(url);
  await runSql(url, `alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  const proxy = await createProxy(t, url);
  proxy.stall();
  for (const [address, reason] of [
    [url, /^bad {3}127\.0\.0\.1:\d+: it is read-only: default_transaction_read_only is on/],
    [
      url.replace(host, '127.0.0.1:1'),
      /^bad {3}127\.0\.0\.1:1: no server listens there\. Start it/,
    ],
    [url.replace(password, 'hunter2'), /^bad {3}127\.0\.0\.1:\d+: the server refuses the password/],
    [`${url}?sslmode=require`, /^bad {3}127\.0\.0\.1:\d+: The server does not support SSL/],
    [proxy.url, /^bad {3}127\.0\.0\.1:\d+: timeout expired/],
  ] as const) {
    const { code, has } = await examine(address);
    assert.equal(code, 1);
    has(
      /^bad {3}database postgres:\/\/127\.0\.0\.1:\d+\/test_\w+: none of its servers can be used\.$/,
    );
    has(reason);
  }
});

test('of several servers, the used one is marked, and the others are described', {
  skip,
}, async (t) => {
  const url = await createBare(t);
  const { host } = new URL(url);
  const same = url.replace(host, `127.0.0.1:1,${host},localhost:${new URL(url).port}`);
  const { code, has, lines } = await examine(same);
  assert.equal(code, 0);
  has(new RegExp(`^good {2}database postgres:.*: the service uses ${host}\\.$`));
  has(/^note {2}127\.0\.0\.1:1: no server listens there\./);
  has(/^note {2}localhost:\d+: it can be written to as well\./);
  assert.equal(lines.filter((line) => line.includes('engine PostgreSQL')).length, 1);
});
