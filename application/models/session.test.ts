import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { addAccount, openTestDatabase } from '../testing/open-test-database.ts';
import { createSessions, type StoredSession } from './session.ts';

const DAY = 86_400_000;
const ADA = { id: 1, username: 'ada' };

function sessionFrom(key: string, startedAt: Date): StoredSession {
  return { key, user: ADA, startedAt, seenAt: startedAt, remembered: false };
}

async function openSessions(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, ADA.id, ADA.username);
  return { database, sessions: createSessions(database, 30 * DAY) };
}

test('a log-in removes the sessions that are older than the longest life', async (t) => {
  const { sessions } = await openSessions(t);
  const now = new Date('2026-11-20T12:00:00.000Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);
  await sessions.create(sessionFrom('old', daysAgo(31)), null);
  await sessions.create(sessionFrom('young', daysAgo(29)), null);
  await sessions.create(sessionFrom('new', now), null);
  assert.equal(await sessions.find('old'), null);
  assert.equal((await sessions.find('young'))?.key, 'young');
  assert.equal((await sessions.find('new'))?.key, 'new');
});

test('the sessions of an account end with the account', async (t) => {
  const { database, sessions } = await openSessions(t);
  await sessions.create(sessionFrom('key', new Date()), null);
  await database.write((transaction) =>
    transaction.deleteFrom('accounts').where('id', '=', ADA.id).execute(),
  );
  assert.equal(await sessions.find('key'), null);
  assert.deepEqual(await database.read.selectFrom('sessions').select('key').execute(), []);
});

test('a session that could not be kept leaves the one that it was to replace', async (t) => {
  const { sessions } = await openSessions(t);
  await sessions.create(sessionFrom('key', new Date()), null);
  const nobody = { ...sessionFrom('new', new Date()), user: { id: 404, username: 'nobody' } };
  await assert.rejects(sessions.create(nobody, 'key'), /FOREIGN KEY/);
  assert.equal((await sessions.find('key'))?.key, 'key');
});
