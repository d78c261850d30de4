/** What two instances on one PostgreSQL do at the same time: every promise of the models holds. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createAccounts } from '../accounts/account.ts';
import { createInvitations } from '../accounts/invitation.ts';
import { createLogInThrottle } from '../accounts/log-in-throttle.ts';
import { openStores } from '../accounts/stores.ts';
import { createItems } from '../items/item.ts';
import { addSampleItems } from '../items/sample-items.ts';
import {
  addAccount,
  addItem,
  ENGINES,
  openAnother,
  openTestDatabase,
  PATIENT,
} from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';
import { openDatabase } from './open-database.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: ['tools'] };
const [, { skip }] = ENGINES;

async function openTwo(t: TestContext) {
  const first = await openTestDatabase(t, 'postgres');
  return [first, await openAnother(t, first)] as const;
}

/** Calls it so often, for both in turn, without waiting for an answer. */
function both<T, R>(
  [first, second]: readonly [T, T],
  times: number,
  call: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const calls = Array.from({ length: times }, (_, index) =>
    call(index % 2 === 0 ? first : second, index),
  );
  return Promise.all(calls);
}

test('a form that two instances receive fifty times concurrently creates one item', {
  skip,
}, async (t) => {
  const databases = await openTwo(t);
  const key = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };
  const paths = await both(databases, 50, (database) =>
    openStores(database).receipts.carryOut(key, async (transaction) =>
      String(await createItems(database).create(transaction, DRILL, null)),
    ),
  );
  assert.deepEqual(new Set(paths), new Set(['1']));
  assert.equal((await createItems(databases[0]).list(1)).itemCount, 1);
});

test('a form that fails on one instance is carried out by the one that waits for it', {
  skip,
}, async (t) => {
  const [first, second] = await openTwo(t);
  const key = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, reject: fail } = Promise.withResolvers<string>();
  const failing = openStores(first).receipts.carryOut(key, () => {
    begin();
    return gate;
  });
  await begun;
  const waiting = openStores(second).receipts.carryOut(key, async () => '/second');
  fail(new Error('half way'));
  await assert.rejects(failing, /half way/);
  assert.equal(await waiting, '/second');
});

test('a hundred items over two instances have the numbers 1 to 100', { skip }, async (t) => {
  const databases = await openTwo(t);
  const numbers = await both(databases, 100, (database) => addItem(database, DRILL));
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
});

test('changes of two instances to one session are all kept', { skip }, async (t) => {
  const databases = await openTwo(t);
  await addAccount(databases[0], 1, 'ada');
  const now = new Date();
  const times = { startedAt: now, seenAt: now, endsAt: now, remembered: false };
  const user = { id: 1, name: 'ada', role: 'member' } as const;
  const state = { flashes: [], draft: null, superseded: false };
  const session = { key: 'key', user, ...times, agent: '', address: '', ...state };
  await openStores(databases[0]).sessions.create(session, null);
  await both(databases, 50, async (database, index) =>
    openStores(database).sessions.update('key', (before) => ({
      ...before,
      flashes: [...before.flashes, { id: String(index), path: '/', message: String(index) }],
    })),
  );
  const { flashes = [] } = (await openStores(databases[1]).sessions.find('key')) ?? {};
  assert.equal(new Set(flashes.map(({ message }) => message)).size, 50);
});

test('of concurrent first registrations on two instances, one wins', { skip }, async (t) => {
  const databases = await openTwo(t);
  const results = await both(databases, 2, (database, index) =>
    createAccounts(database).register({ username: `user${index}`, password: 'long enough' }, true),
  );
  assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['closed', 'registered']);
});

test('one name, or one invitation, used on two instances makes one account', {
  skip,
}, async (t) => {
  const databases = await openTwo(t);
  const invitations = createInvitations(databases[0]);
  const { token } = await databases[0].write((one) => invitations.create(one, null));
  const invited = await both(databases, 2, (database, index) =>
    createAccounts(database).registerInvited({ username: `u-${index}`, password: 'long' }, token),
  );
  assert.deepEqual(invited.map(({ kind }) => kind).toSorted(), ['closed', 'registered']);
  const named = await both(databases, 4, (database) =>
    createAccounts(database).register({ username: 'ada', password: 'long enough' }, false),
  );
  assert.equal(named.filter(({ kind }) => kind === 'registered').length, 1);
});

test('of two concurrent password changes by two sessions, one wins', { skip }, async (t) => {
  const databases = await openTwo(t);
  const password = 'long enough';
  const ada = { username: 'ada', password };
  await createAccounts(databases[0]).register(ada, true);
  const times = { startedAt: new Date(), seenAt: new Date(), endsAt: new Date('2999-01-01') };
  const user = { id: 1, name: 'ada', role: 'administrator' } as const;
  const rest = { user, ...times, remembered: false, draft: null };
  for (const key of ['session-0', 'session-1']) {
    const session = { key, ...rest, agent: '', address: '', flashes: [], superseded: false };
    await openStores(databases[0]).sessions.create(session, null);
  }
  const account = (await createAccounts(databases[0]).authenticate(ada)) ?? assert.fail();
  const changed = await both(databases, 2, async (database, index) => {
    const accounts = createAccounts(database);
    const hash = await accounts.hash(`long enough ${index}`);
    return database.write((transaction) =>
      accounts.changePassword(transaction, account, hash, `session-${index}`),
    );
  });
  assert.deepEqual(changed.toSorted(), [false, true]);
});

test('two instances together allow ten failed attempts', {
  skip,
}, async (t) => {
  const databases = await openTwo(t);
  const attempt = { username: 'ada', networks: ['here'], device: null };
  const made = await both(databases, 4, async (database) => {
    const throttle = createLogInThrottle(database);
    for (let count = 0; ; count++) {
      const begun = await throttle.begin(attempt);
      if (begun.kind !== 'begun') return count;
      await throttle.end(attempt, begun.id, true);
    }
  });
  assert.equal(
    made.reduce((sum, count) => sum + count, 0),
    10,
  );
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
