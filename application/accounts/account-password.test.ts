/** Changing and resetting a password. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Session } from 'seeother';
import { createModels } from '../models.ts';
import { CHEAP } from '../testing/cheap-passwords.ts';
import { createClock } from '../testing/create-clock.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createAccounts, toSessionUser } from './account.ts';
import { openStores } from './stores.ts';

const ADA = { username: 'Ada', password: 'correct horse' };
const NEW = { ...ADA, password: 'battery staple' };

async function openModels(t: TestContext) {
  const database = await openTestDatabase(t);
  const models = createModels(database, CHEAP);
  await models.accounts.register(ADA, false);
  await models.accounts.register({ ...ADA, username: 'bo' }, false);
  const startedAt = new Date();
  const start = (key: string, id: number, name: string) =>
    models.sessions.create(
      {
        key,
        user: { id, name, role: 'member' },
        startedAt,
        seenAt: startedAt,
        endsAt: new Date(startedAt.getTime() + 60_000),
        remembered: false,
        agent: '',
        address: '',
        flashes: [],
        draft: null,
        superseded: false,
      },
      null,
    );
  await start('here', 1, 'Ada');
  await start('there', 1, 'Ada');
  await start('bo', 2, 'bo');
  const sessionKeys = async () => {
    const rows = await database.read.selectFrom('sessions').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key);
  };
  const { accounts } = models;
  /** Changes the password from a session, with the typed current password. */
  const change = async (from: string, to: string, sessionKey: string) => {
    const account = await accounts.authenticate({ ...ADA, password: from });
    if (account === null) return false;
    const hash = await accounts.hash(to);
    return database.write((transaction) =>
      accounts.changePassword(transaction, account, hash, sessionKey),
    );
  };
  return { ...models, database, sessionKeys, change };
}

testOnEngines(
  'of two concurrent changes from two sessions, the first succeeds and the other changes nothing',
  async (t) => {
    const { accounts, sessionKeys, change } = await openModels(t);
    const results = await Promise.all([
      change(ADA.password, NEW.password, 'here'),
      change(ADA.password, 'a third password', 'there'),
    ]);
    assert.deepEqual(results.toSorted(), [false, true]);
    assert.equal((await sessionKeys()).length, 2);
    const both = await Promise.all([
      accounts.authenticate(NEW),
      accounts.authenticate({ ...ADA, password: 'a third password' }),
    ]);
    assert.deepEqual(
      both.map((account) => account !== null),
      results,
    );
  },
);

testOnEngines("a session that has ended, or is somebody else's, changes no password", async (t) => {
  const { accounts, sessionKeys, change } = await openModels(t);
  for (const key of ['ended', 'bo'])
    assert.equal(await change(ADA.password, NEW.password, key), false);
  assert.notEqual(await accounts.authenticate(ADA), null);
  assert.deepEqual(await sessionKeys(), ['bo', 'here', 'there']);
});

testOnEngines('a reset ends every session and deletes failed log-ins and devices', async (t) => {
  const { accounts, devices, throttle, database, sessionKeys } = await openModels(t);
  const device = await devices.renew(null, 1);
  const attempt = { kind: 'log-in', account: 'ada', networks: ['192.0.2.1'] } as const;
  await throttle.begin({ ...attempt, device: null });
  await throttle.begin({ ...attempt, device: await devices.find(device, 1) });
  const account = await accounts.resetPassword({ ...NEW, username: 'ADA' });
  assert.equal(account?.username, 'Ada');
  assert.deepEqual(await sessionKeys(), ['bo']);
  assert.equal(await devices.find(device, 1), null);
  const failures = await database.read.selectFrom('failed_log_ins').select('subject').execute();
  assert.deepEqual(
    failures.map(({ subject }) => subject),
    ['address:192.0.2.1'],
  );
  assert.equal(await accounts.authenticate(ADA), null);
  assert.notEqual(await accounts.authenticate(NEW), null);
});

testOnEngines('a reset password expires after 24 hours, and a chosen one never', async (t) => {
  const { database } = await openModels(t);
  const clock = createClock();
  const accounts = createAccounts(database, { now: clock.now, passwords: CHEAP });
  const reset = await accounts.resetPassword(NEW);
  assert.equal(reset?.expiresAt.toISOString(), '2026-11-21T12:00:00.000Z');
  clock.pass(86_399);
  const account = (await accounts.authenticate(NEW)) ?? assert.fail('it has expired');
  clock.pass(1);
  assert.equal(await accounts.authenticate(NEW), null);
  assert.notEqual(await accounts.authenticate({ ...ADA, username: 'bo' }), null);

  const sessions = openStores(database).sessions;
  const user = toSessionUser(account);
  const session = { ...(await sessions.find('bo')), key: 'new', user } as Session<typeof user>;
  await sessions.create(session, null);
  assert.equal((await sessions.find('new'))?.user.mustChangePassword, true);
  const chosen = { ...ADA, password: 'my own password' };
  const hash = await accounts.hash(chosen.password);
  await database.write((transaction) => accounts.changePassword(transaction, account, hash, 'new'));
  assert.equal((await sessions.find('new'))?.user.mustChangePassword, undefined);
  clock.pass(86_400 * 365);
  assert.notEqual(await accounts.authenticate(chosen), null);
});
