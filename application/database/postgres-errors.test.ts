/** Which errors of PostgreSQL pass by themselves. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { ENGINES, openTestDatabase } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase, runSql } from '../testing/postgres/cluster.ts';
import { openDatabase } from './open-database.ts';

test('a statement on a full disk is unavailable, and the next one succeeds', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const { write, read } = await openTestDatabase(t, 'postgres');
  const sorting = write(async (transaction) => {
    await sql`set local temp_file_limit = '64kB'`.execute(transaction);
    await sql`set local work_mem = '64kB'`.execute(transaction);
    await sql`select * from generate_series(1, 100000) as one order by random()`.execute(
      transaction,
    );
  });
  await assert.rejects(sorting, { name: 'DatabaseUnavailable', message: /53400/ });
  assert.deepEqual(await read.selectFrom('items').selectAll().execute(), []);
});

test('a server that refuses connections is unavailable, and the error says why', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  const role = `x${randomBytes(8).toString('hex')}`;
  await runSql(url, `create role ${role} superuser login password 'first'`);
  const { host, pathname } = new URL(url);
  const database = await openDatabase(`postgres://${role}:first@${host}${pathname}`);
  t.after(async () => {
    await database.close();
    await runSql(url, `drop owned by ${role}; drop role ${role}`);
    await drop();
  });
  await runSql(url, `alter role ${role} password 'second'`);
  await runSql(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
  );
  // Who finds the broken connections makes room for new ones.
  await database.check().catch(() => {});
  await assert.rejects(database.check(), {
    name: 'DatabaseUnavailable',
    message: /password authentication failed .*\(28P01\)/,
  });
});
