/** What two instances on one PostgreSQL do at the same time. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createItems } from '../items/item.ts';
import { addSampleItems } from '../items/sample-items.ts';
import {
  addAccount,
  ENGINES,
  openAnother,
  openTestDatabase,
  PATIENT,
} from '../testing/open-test-database.ts';
import { openTestStores, toTestUser } from '../testing/open-test-stores.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';
import { openDatabase } from './open-database.ts';

const [, { skip }] = ENGINES;

async function openTwo(t: TestContext) {
  const first = await openTestDatabase(t, 'postgres');
  return [first, await openAnother(t, first)] as const;
}

test('a form that fails on one instance is carried out by the one that waits for it', {
  skip,
}, async (t) => {
  const [first, second] = await openTwo(t);
  const key = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, reject: fail } = Promise.withResolvers<string>();
  const failing = openTestStores(first).receipts.carryOut(key, () => {
    begin();
    return gate;
  });
  await begun;
  const waiting = openTestStores(second).receipts.carryOut(key, async () => '/second');
  fail(new Error('half way'));
  await assert.rejects(failing, /half way/);
  assert.equal(await waiting, '/second');
});

test('changes of two instances to one session are all kept', { skip }, async (t) => {
  const databases = await openTwo(t);
  await addAccount(databases[0], 1, 'ada');
  const now = new Date();
  const times = { startedAt: now, seenAt: now, endsAt: now, remembered: false };
  const user = toTestUser(1, 'ada');
  const state = { flashes: [], draft: null, superseded: false };
  const session = { key: 'key', user, ...times, agent: '', address: '', ...state };
  await openTestStores(databases[0]).sessions.create(session, null);
  const changes = Array.from({ length: 50 }, (_, index) => {
    const flash = { id: String(index), path: '/', message: String(index) };
    const { sessions } = openTestStores(databases[index % 2 === 0 ? 0 : 1]);
    return sessions.update('key', (before) => ({ ...before, flashes: [...before.flashes, flash] }));
  });
  await Promise.all(changes);
  const { flashes = [] } = (await openTestStores(databases[1]).sessions.find('key')) ?? {};
  assert.equal(new Set(flashes.map(({ message }) => message)).size, 50);
});

test('instances that start concurrently on an empty server all succeed', { skip }, async (t) => {
  const { url, drop } = await createBarePostgresDatabase();
  const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(url, PATIENT)));
  t.after(async () => {
    for (const database of databases) await database.close();
    await drop();
  });
  await Promise.all(databases.map((one) => addSampleItems(one, createItems(one))));
  const counts = await Promise.all(databases.map((one) => createItems(one).list(1)));
  assert.deepEqual(
    counts.map(({ itemCount }) => itemCount),
    [6, 6, 6, 6],
  );
});
