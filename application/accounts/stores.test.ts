import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Session } from 'seeother';
import { lockRows } from '../database/locks.ts';
import type { SessionUser } from '../site/session-user.ts';
import { CHEAP } from '../testing/cheap-passwords.ts';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createAccounts, toSessionUser } from './account.ts';
import { addFlashes, prepareElsewhere } from './add-flashes-elsewhere.program.ts';
import { deleteSessionsOf, openStores, type Sessions } from './stores.ts';

const DAY = 86_400_000;
const ADA: SessionUser = { id: 1, name: 'ada', role: 'member' };
const BO: SessionUser = { id: 2, name: 'bo', role: 'member' };

function sessionFrom(key: string, startedAt: Date): Session<SessionUser> {
  return {
    key,
    user: ADA,
    startedAt,
    seenAt: startedAt,
    endsAt: new Date(startedAt.getTime() + DAY),
    remembered: false,
    agent: '',
    address: '127.0.0.1',
    flashes: [],
    draft: null,
    superseded: false,
  };
}

async function openSessions(t: TestContext) {
  const database = await openTestDatabase(t);
  for (const { id, name } of [ADA, BO]) await addAccount(database, id, name);
  return { database, ...openStores(database) };
}

testOnEngines('the sessions of an account end with the account', async (t) => {
  const { database, sessions } = await openSessions(t);
  await sessions.create(sessionFrom('key', new Date()), null);
  await database.write((transaction) =>
    transaction.deleteFrom('accounts').where('id', '=', ADA.id).execute(),
  );
  assert.equal(await sessions.find('key'), null);
  assert.deepEqual(await database.read.selectFrom('sessions').select('key').execute(), []);
});

testOnEngines(
  'a session that cannot be stored does not delete the one that it replaces',
  async (t) => {
    const { sessions } = await openSessions(t);
    await sessions.create(sessionFrom('key', new Date()), null);
    const nobody = { ...sessionFrom('new', new Date()), user: { ...ADA, id: 404 } };
    await assert.rejects(async () => sessions.create(nobody, 'key'), /foreign key/i);
    assert.equal((await sessions.find('key'))?.key, 'key');
  },
);

testOnEngines(
  'all sessions of an account but one can be ended, within a transaction',
  async (t) => {
    const { database, sessions } = await openSessions(t);
    const now = new Date();
    for (const key of ['here', 'there', 'elsewhere']) {
      await sessions.create(sessionFrom(key, now), null);
    }
    await sessions.create({ ...sessionFrom('of bo', now), user: BO }, null);
    const keys = async () => {
      const rows = await database.read
        .selectFrom('sessions')
        .select('key')
        .orderBy('key')
        .execute();
      return rows.map(({ key }) => key);
    };

    const failing = database.write(async (transaction) => {
      await deleteSessionsOf(transaction, ADA.id, null);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await keys(), ['elsewhere', 'here', 'of bo', 'there']);

    await database.write((transaction) => deleteSessionsOf(transaction, ADA.id, 'here'));
    assert.deepEqual(await keys(), ['here', 'of bo']);
    await database.write((transaction) => deleteSessionsOf(transaction, ADA.id, null));
    assert.deepEqual(await keys(), ['of bo']);
  },
);

testOnEngines('a log-in whose password was changed meanwhile starts no session', async (t) => {
  const database = await openTestDatabase(t);
  const sessions = openStores(database).sessions;
  const accounts = createAccounts(database, { passwords: CHEAP });
  const password = 'correct horse';
  const [ada, bo] = [
    { username: 'ada', password },
    { username: 'bo', password },
  ];
  for (const one of [ada, bo]) await accounts.register(one, false);
  const start = (key: string, user: SessionUser, replaced: string | null) =>
    sessions.create({ ...sessionFrom(key, new Date()), user }, replaced);
  const user = toSessionUser((await accounts.authenticate(ada)) ?? assert.fail());
  assert.equal(await start('before', user, null), true);
  await accounts.resetPassword({ ...ada, password: 'battery staple' });
  assert.equal(await start('of bo', BO, null), true);
  assert.equal(await start('after', user, 'of bo'), false);
  assert.equal(await sessions.find('after'), null);
  assert.notEqual(await sessions.find('of bo'), null);
});

testOnEngines(
  'a session that is renewed while all sessions end is deleted under both ids',
  async (t) => {
    const { database, sessions } = await openSessions(t);
    const session = sessionFrom('old', new Date());
    const renew = (from: string, to: string) =>
      sessions.renew(from, (current) => ({
        renewed: { ...current, key: to },
        superseded: { ...current, superseded: true },
      }));
    await sessions.create(session, null);
    const end = database.write(async (transaction) => {
      await lockRows(transaction, 'accounts', [ADA.id]);
      await deleteSessionsOf(transaction, ADA.id, null);
    });
    await Promise.all([renew('old', 'new'), end, renew('old', 'newer')]);
    assert.deepEqual(await database.read.selectFrom('sessions').select('key').execute(), []);
  },
);

test('concurrent changes of two instances to one session are all kept', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await addAccount(database, ADA.id, ADA.name);
  const { sessions } = openStores(database);
  const { key } = await startSession(sessions);
  const messages = Array.from({ length: 100 }, (_, index) => `message ${index}`);
  const { file } = database;
  const runElsewhere = await prepareElsewhere({ file, key, messages: messages.slice(0, 50) });
  await Promise.all([runElsewhere(), addFlashes(sessions, { key, messages: messages.slice(50) })]);
  const kept = (await sessions.find(key))?.flashes.map(({ message }) => message);
  assert.deepEqual(kept?.toSorted(), messages.toSorted());
});

testOnEngines(
  'a change of a session is rolled back with the failed write that it is part of',
  async (t) => {
    const { database, sessions } = await openSessions(t);
    const { key } = await startSession(sessions);
    const flashes = [{ id: 'a', path: '/', message: 'Saved.' }];
    await database.write((transaction) => sessions.changeFlashes(transaction, key, () => flashes));
    assert.deepEqual((await sessions.find(key))?.flashes, flashes);
    const failing = database.write(async (transaction) => {
      await sessions.changeFlashes(transaction, key, () => []);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual((await sessions.find(key))?.flashes, flashes);
  },
);

async function startSession(sessions: Sessions): Promise<Session<SessionUser>> {
  const session = sessionFrom('a'.repeat(64), new Date());
  await sessions.create(session, null);
  return session;
}
