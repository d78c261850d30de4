import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createSessions, deleteSessionsOf, type StoredSession } from './session.ts';

const DAY = 86_400_000;
const ADA = { id: 1, username: 'ada' };
const BO = { id: 2, username: 'bo' };

function sessionFrom(key: string, startedAt: Date): StoredSession {
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
  };
}

async function openSessions(t: TestContext) {
  const database = await openTestDatabase(t);
  for (const { id, username } of [ADA, BO]) await addAccount(database, id, username);
  return { database, sessions: createSessions(database) };
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
  'a session that could not be kept leaves the one that it was to replace',
  async (t) => {
    const { sessions } = await openSessions(t);
    await sessions.create(sessionFrom('key', new Date()), null);
    const nobody = { ...sessionFrom('new', new Date()), user: { id: 404, username: 'nobody' } };
    await assert.rejects(sessions.create(nobody, 'key'), /foreign key/i);
    assert.equal((await sessions.find('key'))?.key, 'key');
  },
);

testOnEngines(
  'the sessions of an account end together, but for one, and only with the transaction',
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
