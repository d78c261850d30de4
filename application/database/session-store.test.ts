/** The sessions in the database are a session store of the framework. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { describeSessionStore } from 'seeother/testing';
import { createSessions, type StoredSession } from '../accounts/session.ts';
import type { SessionUser } from '../site/session-user.ts';
import { addFlashes, prepareElsewhere } from '../testing/add-flashes-elsewhere.ts';
import {
  addAccount,
  ENGINES,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';

const ADA: SessionUser = { id: 1, name: 'ada', role: 'member' };
const BO: SessionUser = { id: 2, name: 'bo', role: 'member' };

for (const { engine, name, skip } of ENGINES) {
  if (skip) continue;
  describeSessionStore(
    `the store in ${name}`,
    async (t) => {
      const database = await openTestDatabase(t, engine);
      for (const { id, name } of [ADA, BO]) await addAccount(database, id, name);
      return createSessions(database);
    },
    [ADA, BO],
  );
}

test('concurrent changes of two instances to one session are all kept', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await addAccount(database, ADA.id, ADA.name);
  const sessions = createSessions(database);
  const { key } = createSession();
  await sessions.create(createSession(), null);

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
    const database = await openTestDatabase(t);
    await addAccount(database, ADA.id, ADA.name);
    const sessions = createSessions(database);
    const session = createSession();
    await sessions.create(session, null);
    const flashes = [{ path: '/', message: 'Saved.' }];
    const changed = await database.write((transaction) =>
      sessions.updateIn(transaction, session.key, (one) => ({ ...one, flashes })),
    );
    assert.deepEqual(changed?.flashes, flashes);
    const failing = database.write(async (transaction) => {
      await sessions.updateIn(transaction, session.key, (one) => ({ ...one, flashes: [] }));
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual((await sessions.find(session.key))?.flashes, flashes);
  },
);

function createSession(): StoredSession {
  const now = new Date();
  const key = 'a'.repeat(64);
  const times = { startedAt: now, seenAt: now, endsAt: now };
  const client = { agent: '', address: '' };
  const state = { remembered: false, flashes: [], draft: null, superseded: false };
  return { key, user: ADA, data: {}, ...times, ...client, ...state };
}
