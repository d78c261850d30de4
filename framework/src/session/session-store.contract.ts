/** The contract suite of session stores, for the test file of an implementation. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { Session, SessionUser } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { StoreTest } from './store-test.ts';
import { createToken, toTokenKey } from './token.ts';

/**
 * Registers the tests that every session store must pass. `createStore` makes an empty store for each test;
 * the two users exist in it.
 */
export function describeSessionStore<User extends SessionUser>(
  name: string,
  createStore: (t: StoreTest) => Awaitable<SessionStore<User>>,
  [ada, bo]: readonly [ada: User, bo: User],
): void {
  const check = (behaviour: string, run: (store: SessionStore) => Promise<void>) =>
    test(`${name}: ${behaviour}`, async (t) => run(await createStore(t)));

  check('keeps every field of a session', async (store) => {
    const session: Session = {
      ...createSession(ada),
      remembered: true,
      agent: 'Firefox “nightly” ✓',
      address: '2001:db8::1',
      flashes: [
        { id: 'a', path: '/items/7', message: 'Saved.' },
        { id: 'b', path: '/a b', message: '<b>', action: { label: 'Undo', path: '/c' } },
      ],
      draft: {
        action: '/items',
        path: '/items/new',
        fields: { name: 'Lamp', description: 'a\nb\r\n\u2028', empty: '' },
        once: 'k',
        language: 'de',
      },
    };
    assert.equal(await store.create(session, null), true);
    assert.deepEqual(await store.find(session.key), session);
    const plain = {
      ...createSession(bo),
      draft: { action: '/', path: '/', fields: {}, once: null, language: 'en' },
    };
    await store.create(plain, null);
    assert.deepEqual(await store.find(plain.key), plain);
  });

  check('finds nothing under the names of object members', async (store) => {
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

  check('writes every changed field of one session, and changes no other', async (store) => {
    const [session, other] = [createSession(ada), createSession(bo)];
    await store.create(session, null);
    await store.create(other, null);
    const changed: Session = {
      ...session,
      seenAt: new Date(session.seenAt.getTime() + 90_001),
      endsAt: new Date(session.endsAt.getTime() + 90_001),
      flashes: [{ id: 'a-1_B', isShown: true, path: '/items/7', message: 'Saved – “ok” \u0000' }],
      draft: null,
      superseded: false,
    };
    assert.deepEqual(await store.update(session.key, () => changed), changed);
    assert.deepEqual(await store.find(session.key), changed);
    assert.deepEqual(await store.find(other.key), other);
  });

  check('keeps all of twenty concurrent changes', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    const messages = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    await Promise.all(messages.map((message) => addMessage(store, session.key, message)));
    const kept = (await store.find(session.key))?.flashes.map(({ message }) => message);
    assert.deepEqual(kept?.toSorted(), messages.toSorted());
  });

  check('moves a session to another key, and finds nothing under the old one', async (store) => {
    const session = {
      ...createSession(ada),
      flashes: [{ id: 'a', path: '/', message: 'still here' }],
    };
    const { key } = createSession(ada);
    await store.create(session, null);
    const renewed = { ...session, key };
    assert.deepEqual(await store.update(session.key, () => renewed), renewed);
    assert.equal(await store.find(session.key), null);
    assert.deepEqual(await store.find(key), renewed);
    assert.equal(await store.update(session.key, (current) => current), null);
  });

  check(
    'renews a session: it goes on under another key, and the old one is superseded',
    async (store) => {
      const session = createSession(ada);
      const renewed = { ...session, key: createSession(ada).key };
      const superseded = { ...session, superseded: true, endsAt: session.seenAt };
      await store.create(session, null);
      assert.deepEqual(await store.renew(session.key, () => ({ renewed, superseded })), renewed);
      assert.deepEqual(await store.find(session.key), superseded);
      assert.deepEqual(await store.find(renewed.key), renewed);
      assert.deepEqual(await store.list(ada.id, session.startedAt), [renewed]);
      await store.deleteAll(ada.id);
      assert.equal(await store.find(session.key), null);
    },
  );

  check('renews no session that has ended', async (store) => {
    const session = createSession(ada);
    const renewed = createSession(ada);
    const both = () => ({ renewed, superseded: session });
    assert.equal(await store.renew(session.key, both), null);
    assert.equal(await store.find(renewed.key), null);
  });

  check('neither changes nor creates a session after its end', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    await store.delete(session.key);
    let ran = false;
    const change = () => {
      ran = true;
      return session;
    };
    assert.equal(await store.update(session.key, change), null);
    assert.equal(ran, false);
    assert.equal(await store.find(session.key), null);
    assert.deepEqual(await store.list(ada.id, session.startedAt), []);
  });

  check('leaves a session as it was when the change throws', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    const change = () => {
      throw new Error('no');
    };
    await assert.rejects(async () => store.update(session.key, change), /no/);
    assert.deepEqual(await store.find(session.key), session);
    await addMessage(store, session.key, 'goes on');
    assert.equal((await store.find(session.key))?.flashes.length, 1);
  });

  check('lists the sessions of one user, the latest seen first', async (store) => {
    const at = (minutes: number) => new Date(Date.parse('2026-11-20T19:00:00Z') + minutes * 60_000);
    const seen = (minutes: number) => ({ ...createSession(ada), seenAt: at(minutes) });
    const [first, second, third] = [seen(1), seen(2), seen(3)];
    for (const session of [second, first, third, createSession(bo)]) {
      await store.create(session, null);
    }
    assert.deepEqual(await store.list(ada.id, at(4)), [third, second, first]);
  });

  check('ends all sessions of one user except the given one', async (store) => {
    const [here, there, elsewhere] = [ada, ada, ada].map(createSession) as [
      Session,
      Session,
      Session,
    ];
    const others = createSession(bo);
    for (const session of [here, there, elsewhere, others]) await store.create(session, null);
    await store.deleteAll(ada.id, there.key);
    assert.deepEqual(await store.list(ada.id, here.startedAt), [there]);
    assert.equal(await store.find(here.key), null);
    assert.equal(await store.find(elsewhere.key), null);
    await store.deleteAll(ada.id, here.key);
    assert.equal(await store.find(there.key), null, 'a session that has ended kept another one');
    assert.deepEqual(await store.find(others.key), others);
    await store.deleteAll(ada.id);
    await store.deleteAll(bo.id);
    assert.equal(await store.find(others.key), null);
  });

  check('ends a session under both its keys while it gets a new one', async (store) => {
    const session = createSession(ada);
    const renewed = { ...session, key: createSession(ada).key };
    const both = () => ({ renewed, superseded: { ...session, superseded: true } });
    await store.create(session, null);
    await Promise.all([store.renew(session.key, both), store.deleteAll(ada.id)]);
    assert.equal(await store.find(session.key), null);
    assert.equal(await store.find(renewed.key), null);
  });

  check('lists no session that has ended at the given time', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    const before = new Date(session.endsAt.getTime() - 1);
    assert.deepEqual(await store.list(ada.id, before), [session]);
    assert.deepEqual(await store.list(bo.id, before), []);
    assert.deepEqual(await store.list(ada.id, session.endsAt), []);
  });

  check('accepts the deletion of a session that has ended already', async (store) => {
    const session = createSession(ada);
    await store.create(session, null);
    await store.delete(session.key);
    await store.delete(session.key);
    assert.equal(await store.find(session.key), null);
  });

  check('finds a session that is far beyond its lifetime', async (store) => {
    const longAgo = new Date('2001-01-01T00:00:00.007Z');
    const session = { ...createSession(ada), startedAt: longAgo, seenAt: longAgo, endsAt: longAgo };
    await store.create(session, null);
    assert.deepEqual(await store.find(session.key), session);
  });
}

async function addMessage(store: SessionStore, key: string, message: string): Promise<void> {
  await store.update(key, (session) => ({
    ...session,
    flashes: [...session.flashes, { id: message, path: '/', message }],
  }));
}

function createSession(user: SessionUser): Session {
  return {
    key: toTokenKey(createToken()),
    user,
    startedAt: new Date('2026-11-20T18:02:11.123Z'),
    seenAt: new Date('2026-11-20T19:30:00.456Z'),
    endsAt: new Date('2026-11-21T07:30:00.456Z'),
    remembered: false,
    agent: 'Firefox',
    address: '127.0.0.1',
    flashes: [],
    draft: null,
    superseded: false,
  };
}
