/** PgBouncer with its file: what the service promises on PostgreSQL holds through it, or the service does not start. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createItems } from '../application/items/item.ts';
import { addItem, createTestFolder, ENGINES } from '../application/testing/open-test-database.ts';
import {
  createBarePostgresDatabase,
  createPostgresDatabase,
  runSql,
} from '../application/testing/postgres/cluster.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { readText } from '../scripts/project-files.ts';
import { requireProgram, skipWithout } from './find-program.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const NOBODY = 65_534;
const skip = ENGINES[1].skip || skipWithout('pgbouncer');

/** Starts PgBouncer; resolves to the address of the same database behind it. */
async function startPooler(t: TestContext, url: string, settings = ''): Promise<string> {
  const folder = createTestFolder(t);
  const { hostname, port, username, password, pathname } = new URL(url);
  const own = String(await findFreePort());
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'userlist.txt');
  const text = readText('deploy/pgbouncer.ini')
    .replace(
      'seeother = host=db1.example port=5432 dbname=seeother',
      `* = host=${hostname} port=${port}`,
    )
    .replace('listen_port = 6432', `listen_port = ${own}`)
    .replace(/^logfile = .*$/m, `logfile = ${join(folder, 'log')}`)
    .replace(/^pidfile = .*$/m, `pidfile = ${join(folder, 'pid')}`)
    .replace('/etc/pgbouncer/userlist.txt', users);
  writeFileSync(file, `${text}${settings}\n`);
  writeFileSync(users, `"${username}" "${password}"\n`);
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0)
    for (const one of [folder, users, file]) chownSync(one, NOBODY, NOBODY);
  const pooler = spawn(requireProgram('pgbouncer'), [file], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  t.after(async () => {
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
  });
  const behind = `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`;
  for (let tries = 0; ; tries++)
    try {
      await runSql(behind, 'select 1');
      return behind;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(50);
    }
}

async function open(t: TestContext, url: string): Promise<Database> {
  const database = await openDatabase(url, { timeout: 2_000 });
  t.after(() => database.close());
  return database;
}

test('behind PgBouncer, forms are saved, reads cannot write, and time limits hold', {
  skip,
}, async (t) => {
  const { url, drop } = await createPostgresDatabase();
  t.after(drop);
  const behind = await startPooler(t, url);
  const database = await open(t, `${behind}?pooler=transaction`);
  await addItem(database, DRILL);
  assert.equal((await createItems(database).list(1)).itemCount, 1);
  await assert.rejects(sql`delete from items`.execute(database.read), /This connection only reads/);
  await assert.rejects(sql`select pg_sleep(60)`.execute(database.read), /57014/);
  const { rows } = await database.write((transaction) =>
    sql<{ limit: string; sync: string }>`select current_setting('lock_timeout') as limit,
      current_setting('synchronous_commit') as sync`.execute(transaction),
  );
  assert.deepEqual(rows, [{ limit: '1500ms', sync: 'on' }]);
  const left = await runSql(
    behind,
    `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
      current_setting('default_transaction_read_only') as "readOnly"`,
  );
  assert.deepEqual(left, [{ lock: '0', statement: '0', readOnly: 'off' }], 'nothing is left');
});

test('two instances that start at once behind PgBouncer migrate once', { skip }, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  const behind = `${await startPooler(t, url)}?pooler=transaction`;
  const [first] = await Promise.all([open(t, behind), open(t, behind)]);
  await addItem(first, DRILL);
  t.after(drop);
});

test('without pooler=transaction in the address, the start says so', { skip }, async (t) => {
  const { url, drop } = await createPostgresDatabase();
  t.after(drop);
  const why = /time limits do not reach the server.*pooler=transaction/;
  await assert.rejects(open(t, await startPooler(t, url)), why);
  // Accepts what it does not pass on.
  const ignored = 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout';
  const deaf = await startPooler(t, url, `ignore_startup_parameters = ${ignored}`);
  await assert.rejects(open(t, deaf), why);
});
