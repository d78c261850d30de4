import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { ENGINES, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { CONNECTIONS } from './open-postgres.ts';
import { createSlowReadDialect } from './sqlite-slow-reads.ts';

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

testOnEngines('a slow read cannot write', async (t) => {
  const { slowRead } = await openTestDatabase(t);
  await assert.rejects(sql`insert into counters values ('x', 1)`.execute(slowRead), /read-?only/);
});

test('on SQLite a slow read runs in a thread, which starts with the first and ends with the database', async (t) => {
  const started = once(process, 'worker');
  const database = await openTestDatabase(t, 'sqlite');
  await database.read.selectFrom('counters').select('name').execute();
  const reading = database.slowRead.selectFrom('counters').select('name').execute();
  const [thread] = (await started) as [Worker];
  assert.deepEqual(await reading, []);
  await thread.terminate();
  assert.deepEqual(await database.slowRead.selectFrom('counters').select('name').execute(), []);
});

test('a thread that cannot be started, or ends, fails its read and no other', async (t) => {
  const threads: FakeThread[] = [];
  let canStart = false;
  const dialect = createSlowReadDialect({ file: 'application.db', timeout: 1 }, () => {
    if (!canStart) throw new Error('EAGAIN');
    const thread = new FakeThread();
    threads.push(thread);
    return thread as unknown as Worker;
  });
  const database = new Kysely<unknown>({ dialect });
  t.after(() => database.destroy());
  const read = () => sql`select 1`.execute(database);
  await assert.rejects(read(), DatabaseUnavailable);
  canStart = true;
  const failing = read();
  await asked(threads, 1);
  threads[0]?.emit('error', new Error('out of memory'));
  await assert.rejects(failing, DatabaseUnavailable);
  const reading = read();
  await asked(threads, 2);
  threads[1]?.emit('message', { 'watch:import': ['a file'] });
  threads[1]?.emit('message', { rows: [{ one: 1 }] });
  assert.deepEqual((await reading).rows, [{ one: 1 }]);
});

/** A thread that is told what to answer. */
class FakeThread extends EventEmitter {
  asked = 0;
  ref = () => this;
  unref = () => this;
  terminate = async () => 0;
  postMessage() {
    this.asked++;
  }
}

async function asked(threads: readonly FakeThread[], count: number): Promise<void> {
  while ((threads[count - 1]?.asked ?? 0) === 0)
    await new Promise((resolve) => setImmediate(resolve));
}

test('on PostgreSQL slow reads keep no connection from other reads', {
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
