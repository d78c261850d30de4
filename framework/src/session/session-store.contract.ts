/**
 * What every session store does. An implementation's test file calls this with a maker of empty
 * stores, and with two users that exist wherever the store looks for them.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Awaitable } from '../awaitable.ts';
import { createToken, type Session, type SessionUser, toSessionKey } from './session.ts';
import type { SessionStore } from './session-store.ts';

export function describeSessionStore(
  name: string,
  createStore: (t: TestContext) => Awaitable<SessionStore>,
  [ada, bo]: readonly [ada: SessionUser, bo: SessionUser],
): void {
  const check = (behaviour: string, run: (store: SessionStore) => Promise<void>) =>
    test(`${name}: ${behaviour}`, async (t) => run(await createStore(t)));

  check('finds a session as it was created, to the millisecond', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    assert.deepEqual(await store.find(session.key), session);
  });

  check('keeps whether a session is remembered', async (store) => {
    const session = { ...createSession(ada), remembered: true };
    await store.create(session, null);
    assert.equal((await store.find(session.key))?.remembered, true);
  });

  check('finds nothing under a key that was never given', async (store) => {
    await store.create(createSession(ada), null);
    assert.equal(await store.find(createSession(ada).key), null);
  });

  check('finds nothing under the names that every object has', async (store) => {
    for (const key of ['__proto__', 'constructor', 'toString', '']) {
      assert.equal(await store.find(key), null, key);
    }
  });

  check('keeps the sessions of one user apart', async (store) => {
    const [first, second] = [createSession(ada), createSession(ada)];
    await store.create(first, null);
    await store.create(second, null);
    await store.delete(first.key);
    assert.equal(await store.find(first.key), null);
    assert.deepEqual(await store.find(second.key), second);
  });

  check('ends the replaced session when a new one is created, and no other', async (store) => {
    const [replaced, other, next] = [createSession(ada), createSession(ada), createSession(bo)];
    await store.create(replaced, null);
    await store.create(other, null);
    await store.create(next, replaced.key);
    assert.equal(await store.find(replaced.key), null);
    assert.deepEqual(await store.find(other.key), other);
    assert.deepEqual(await store.find(next.key), next);
  });

  check('creates a session although the one to replace has ended meanwhile', async (store) => {
    const session = createSession(ada);
    await store.create(session, createSession(ada).key);
    assert.deepEqual(await store.find(session.key), session);
  });

  check('touches the time of the last request and nothing else', async (store) => {
    const [session, other] = [createSession(ada), createSession(bo)];
    await store.create(session, null);
    await store.create(other, null);
    const seenAt = new Date(session.seenAt.getTime() + 90_001);
    await store.touch(session.key, seenAt);
    assert.deepEqual(await store.find(session.key), { ...session, seenAt });
    assert.deepEqual(await store.find(other.key), other);
  });

  check('does not bring a session back by touching it after its end', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    await store.delete(session.key);
    await store.touch(session.key, new Date());
    assert.equal(await store.find(session.key), null);
  });

  check('takes the deletion of a session that has ended already', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    await store.delete(session.key);
    await store.delete(session.key);
    assert.equal(await store.find(session.key), null);
  });

  check('gives back a session that is far beyond its lifetime', async (store) => {
    const longAgo = new Date('2001-01-01T00:00:00.007Z');
    const session = { ...createSession(ada), startedAt: longAgo, seenAt: longAgo };
    await store.create(session, null);
    assert.deepEqual(await store.find(session.key), session);
  });
}

function createSession(user: SessionUser): Session {
  return {
    key: toSessionKey(createToken()),
    user,
    startedAt: new Date('2026-11-20T18:02:11.123Z'),
    seenAt: new Date('2026-11-20T19:30:00.456Z'),
    remembered: false,
  };
}
