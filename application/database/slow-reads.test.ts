import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { CONNECTIONS } from 'seeother/postgres';
import { ENGINES, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

testOnEngines('a slow read sees what was written before it, and tells its errors', async (t) => {
  const { slowRead, write } = await openTestDatabase(t);
  const names = () => slowRead.selectFrom('counters').select('name').execute();
  assert.deepEqual(await names(), []);
  await write((transaction) =>
    transaction.insertInto('counters').values({ name: 'one', value: 1 }).execute(),
  );
  assert.deepEqual(
    (await names()).map(({ name }) => name),
    ['one'],
  );
  await assert.rejects(sql`select * from nowhere`.execute(slowRead), /nowhere/);
  assert.equal((await names()).length, 1);
});

test('on SQLite a slow read runs in a thread, which starts with the first one and ends with the database', async (t) => {
  const started = once(process, 'worker');
  const database = await openTestDatabase(t, 'sqlite');
  await database.read.selectFrom('counters').select('name').execute();
  const reading = database.slowRead.selectFrom('counters').select('name').execute();
  const [thread] = (await started) as [Worker];
  assert.deepEqual(await reading, []);
  await thread.terminate();
  assert.deepEqual(await database.slowRead.selectFrom('counters').select('name').execute(), []);
});

test('on PostgreSQL slow reads do not use up the connections of other reads', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const database = await openTestDatabase(t, 'postgres');
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: hasRead, resolve: end } = Promise.withResolvers<void>();
  const locking = database.write(async (transaction) => {
    await sql`select pg_advisory_xact_lock(7)`.execute(transaction);
    locked();
    await hasRead;
  });
  await isLocked;
  const waiting = Array.from({ length: 2 * CONNECTIONS.slowRead }, () =>
    sql`select pg_advisory_xact_lock_shared(7)`.execute(database.slowRead),
  );
  await database.read.selectFrom('counters').select('name').execute();
  end();
  await Promise.all([locking, ...waiting]);
});
