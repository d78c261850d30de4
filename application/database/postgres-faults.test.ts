/**
 * What a server, a network and other writers do to the application on PostgreSQL, and what it does
 * then.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sql } from 'kysely';
import { DatabaseUnavailable, type Outcome } from 'seeother/database';
import { createItems } from '../items/item.ts';
import { addItem, ENGINES, openAnother, openTestDatabase } from '../testing/open-test-database.ts';
import { createPostgresDatabase, runSql, startCluster } from '../testing/postgres/cluster.ts';
import { createProxy } from '../testing/postgres/create-proxy.ts';
import type { Database } from './kysely.ts';
import { openDatabase } from './open-database.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const [, { skip }] = ENGINES;

/** With `second`, the address names the proxy twice, and then the same server without it. */
async function openBehindProxy(t: TestContext, second = false) {
  const { url, drop } = await createPostgresDatabase();
  const proxy = await createProxy(t, url);
  const reports: Error[] = [];
  const { host } = new URL(proxy.url);
  const address = second
    ? proxy.url.replace(host, `${host},${host},${new URL(url).host}`)
    : proxy.url;
  const database = await openDatabase(address, {
    report: ({ error }) => reports.push(error as Error),
    // All are asked at once. Half of it is spent on those that hang; on a busy machine the rest has to be enough.
    ...(second && { timeout: 8_000 }),
  });
  t.after(async () => {
    await database.close();
    await drop();
  });
  return { database, proxy, reports };
}

async function assertUnavailable(work: Promise<unknown>, why: RegExp, outcome?: Outcome) {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof DatabaseUnavailable, `another error: ${error}`);
    assert.match(error.message, why);
    assert.equal(error.outcome, outcome ?? 'not saved');
    return true;
  });
}

async function countItems(database: Database): Promise<number> {
  return (await createItems(database).list(1)).itemCount;
}

test('broken idle connections are reported and replaced, and fail nothing', {
  skip,
}, async (t) => {
  const { database, proxy, reports } = await openBehindProxy(t);
  await addItem(database, DRILL);
  proxy.cut();
  await new Promise((resolve) => setImmediate(resolve));
  // A statement may still find a connection whose end has not been heard of; the next one does not.
  await countItems(database).catch(() => {});
  await addItem(database, DRILL).catch(() => {});
  assert.ok((await countItems(database)) >= 1);
  assert.ok(reports.length > 0);
});

test('a connection that breaks inside a transaction rolls it back, and the error says so', {
  skip,
}, async (t) => {
  const { database, proxy } = await openBehindProxy(t);
  const breaking = database.write(async (transaction) => {
    await createItems(database).create(transaction, DRILL, null);
    proxy.cut();
    await createItems(database).create(transaction, DRILL, null);
  });
  await assertUnavailable(breaking, /terminated|ECONN|EPIPE/);
  assert.equal(await addItem(database, DRILL), 1);
});

test('when a connection breaks during the commit, the outcome is unknown', {
  skip,
}, async (t) => {
  const { database, proxy } = await openBehindProxy(t);
  proxy.cutAfter('commit\0');
  await assertUnavailable(addItem(database, DRILL), /lost while it saved/, 'unknown');
  await database.check();
});

test('statements that wait for a connection of a replaced pool get one of the new pool', {
  skip,
}, async (t) => {
  const { database, proxy } = await openBehindProxy(t);
  let held = 0;
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  const { promise: cut, resolve: goOn } = Promise.withResolvers<void>();
  const hold = async () => {
    const work = database.write(async (transaction) => {
      if (++held === 5) fill();
      await cut;
      await sql`select 1`.execute(transaction);
    });
    await assertUnavailable(work, /terminated|ECONN|EPIPE/);
  };
  const holding = Promise.all(Array.from({ length: 5 }, hold));
  await full;
  const waiting = Promise.all(Array.from({ length: 10 }, () => addItem(database, DRILL)));
  proxy.cut();
  goOn();
  await holding;
  assert.equal(new Set(await waiting).size, 10);
});

test('another server is found when the first two hang, regardless of how many statements wait', {
  skip,
}, async (t) => {
  const { database, proxy } = await openBehindProxy(t, true);
  proxy.stall();
  proxy.cut();
  // The ends of the open connections have been heard of.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const numbers = await Promise.all(Array.from({ length: 20 }, () => addItem(database, DRILL)));
  assert.equal(new Set(numbers).size, 20);
});

test('a hanging server times out, also for the next statement', {
  skip,
}, async (t) => {
  const { database, proxy } = await openBehindProxy(t);
  // Two connections are open: what the first one meets counts for the other one too.
  await Promise.all([countItems(database), countItems(database), database.write(async () => {})]);
  await database.check();
  proxy.stall();
  await assertUnavailable(countItems(database), /Query read timeout/);
  await assertUnavailable(countItems(database), /connection timeout/);
  await assertUnavailable(addItem(database, DRILL), /Query read timeout/);
  await assertUnavailable(database.check(), /timeout|terminated/);
  proxy.goOn();
  await database.check();
  assert.equal(await countItems(database), 0);
});

test('a slow statement times out, and so does the wait for a lock', { skip }, async (t) => {
  const database = await openTestDatabase(t, 'postgres', { timeout: 2_000 });
  const other = await openAnother(t, database, { timeout: 2_000 });
  await assertUnavailable(sql`select pg_sleep(60)`.execute(database.read), /57014/);
  await addItem(database, DRILL);
  await database.write(async (transaction) => {
    await sql`select * from counters for update`.execute(transaction);
    await assertUnavailable(addItem(other, DRILL), /55P03/);
  });
});

test('when too many statements wait for a connection, the next is refused immediately', {
  skip,
}, async (t) => {
  // With options of its own, so without connections from another test.
  const database = await openTestDatabase(t, 'postgres', { timeout: 20_000 });
  const sleeps = Array.from({ length: 120 }, () =>
    sql`select pg_sleep(0.01)`.execute(database.read),
  );
  const outcomes = await Promise.allSettled(sleeps);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.equal(refused.length, 15);
  for (const error of refused) assert.match(String(error), /too many statements wait/);
});

test('the wait for a connection times out', { skip }, async (t) => {
  const database = await openTestDatabase(t, 'postgres', { timeout: 2_000 });
  let held = 0;
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  const { promise: over, resolve: letGo } = Promise.withResolvers<void>();
  const hold = () =>
    database.write(async () => {
      if (++held === 5) fill();
      await over;
    });
  const holding = Promise.all(Array.from({ length: 5 }, hold));
  await full;
  await assertUnavailable(addItem(database, DRILL), /no connection could be had in time/);
  letGo();
  await holding;
  assert.equal(await addItem(database, DRILL), 1);
});

test('transactions in a deadlock are repeated', { skip }, async (t) => {
  const database = await openTestDatabase(t, 'postgres');
  await database.write((transaction) =>
    transaction
      .insertInto('counters')
      .values(['a', 'b'].map((name) => ({ name, value: 0 })))
      .execute(),
  );
  let runs = 0;
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  const count = (names: readonly string[]) =>
    database.write(async (transaction) => {
      for (const [index, name] of names.entries()) {
        if (index === 1 && ++runs >= 2) meet();
        if (index === 1) await met;
        await sql`update counters set value = value + 1 where name = ${name}`.execute(transaction);
      }
    });
  await Promise.all([count(['a', 'b']), count(['b', 'a'])]);
  // On a busy machine the one that runs again may be in the way of the other once more.
  assert.ok(runs >= 3, String(runs));
  const rows = await database.read.selectFrom('counters').select('value').execute();
  assert.deepEqual(
    rows.map(({ value }) => value),
    [2, 2],
  );
});

test('of several servers, the first writable one is used, also after a failover', {
  skip,
}, async (t) => {
  const second = await createPostgresDatabase();
  const { password, host, pathname } = new URL(second.url);
  const cluster = await startCluster(password);
  const name = pathname.slice(1);
  await runSql(`${cluster.address}/postgres`, `create database ${name}`);
  const hosts = `127.0.0.1:1,${new URL(cluster.address).host},${host}`;
  const url = `postgres://postgres:${password}@${hosts}/${name}?target_session_attrs=read-write`;
  const database = await openDatabase(url);
  t.after(async () => {
    await database.close();
    await second.drop();
    await cluster.stop();
  });
  await addItem(database, DRILL);
  assert.deepEqual(await runSql(second.url, 'select 1 from items'), []);

  // As when the server has become a standby while connections to it are open.
  const first = `${cluster.address}/${name}`;
  await runSql(first, 'alter system set default_transaction_read_only = on');
  await runSql(first, 'select pg_reload_conf()');
  // The server tells its connections of it when it likes.
  while ((await runSql(second.url, 'select 1 from items')).length === 0)
    await addItem(database, DRILL).catch((error) => assert.match(String(error), /25006/));
});
