import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { CONNECTIONS } from 'seeother/postgres';
import { ENGINES, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

testOnEngines('a check of readiness does not write: it does not wait for a write', async (t) => {
  const database = await openTestDatabase(t);
  const { promise: isWriting, resolve: started } = Promise.withResolvers<void>();
  const { promise: isChecked, resolve: end } = Promise.withResolvers<void>();
  const writing = database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'check', value: 0 }).execute();
    started();
    await isChecked;
  });
  await isWriting;
  await database.check();
  end();
  await writing;
});

test('a readiness check does not wait for other reads', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const database = await openTestDatabase(t, 'postgres');
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: isChecked, resolve: end } = Promise.withResolvers<void>();
  const locking = database.write(async (transaction) => {
    await sql`select pg_advisory_xact_lock(7)`.execute(transaction);
    locked();
    await isChecked;
  });
  await isLocked;
  const waiting = Array.from({ length: 2 * CONNECTIONS.read }, () =>
    sql`select pg_advisory_xact_lock_shared(7)`.execute(database.read),
  );
  await database.check();
  end();
  await Promise.all([locking, ...waiting]);
});

testOnEngines('concurrent callers share one check', async (t) => {
  const { check } = await openTestDatabase(t);
  const first = check();
  assert.equal(check(), first);
  await first;
  const next = check();
  assert.notEqual(next, first);
  await next;
});
