import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, text, withHeader, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { post } from '../testing/make-request.ts';
import { createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { Flash, Session } from './session.ts';
import {
  addFlash,
  dropDraft,
  endSession,
  type KnownChange,
  keepDraft,
  renewSession,
  startSession,
} from './session-change.ts';
import type { SessionStore } from './session-store.ts';
import { toTokenKey } from './token.ts';

const ADA = { id: 1, name: 'ada' };
const BO = { id: 2, name: 'bo' };
const DRAFT = {
  action: '/items',
  path: '/items/new',
  fields: { name: 'Lamp' },
  once: 'k',
  language: 'en',
};
const HOME = localPath('/home');

/** A site whose form makes the changes that the test passes. */
function createSite(store: SessionStore = createMemorySessionStore()) {
  let time = Date.parse('2026-11-20T18:00:00Z');
  let changes: readonly KnownChange[] = [];
  const calls: string[] = [];
  const noting: SessionStore = {
    ...store,
    create: (session, replaced) => {
      calls.push('create');
      return store.create(session, replaced);
    },
    update: (key, change) => {
      calls.push('update');
      return store.update(key, change);
    },
    delete: (key) => {
      calls.push('delete');
      return store.delete(key);
    },
  };
  const router = createRouter()
    .use(loadSession({ store: noting, now: () => new Date(time) }))
    .get('/who', ({ session }) => page(html`${session?.user.name ?? 'nobody'}`))
    .post('/', () => withSession(text('done'), ...changes));
  const visitor = createVisitor(router);
  const stored = async (): Promise<Session | null> => {
    const token = visitor.cookie('sid');
    return token === null ? null : await store.find(toTokenKey(token));
  };
  return {
    router,
    visitor,
    calls,
    stored,
    send: (...sent: readonly KnownChange[]) => {
      changes = sent;
      return visitor.post('/', {}, { address: '192.0.2.7', headers: { 'user-agent': 'Firefox' } });
    },
    sendStrange: (...sent: readonly KnownChange[]) => {
      changes = sent;
      return router.handle(post('/'));
    },
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    setAgent: (agent: string) => {
      changes = [startSession(ADA)];
      return visitor.post('/', {}, { headers: { 'user-agent': agent } });
    },
  };
}

test('a new session has its timeouts, the browser, the address and the draft', async () => {
  const { send, stored } = createSite();
  await send(startSession(ADA, { draft: DRAFT }));
  const session = await stored();
  assert.deepEqual(session, {
    key: session?.key,
    user: ADA,
    startedAt: new Date('2026-11-20T18:00:00Z'),
    seenAt: new Date('2026-11-20T18:00:00Z'),
    endsAt: new Date('2026-11-21T06:00:00Z'),
    remembered: false,
    agent: 'Firefox',
    address: '192.0.2.7',
    flashes: [],
    draft: DRAFT,
    superseded: false,
  });
});

test('the User-Agent loses control characters and is cut to 200 characters', async () => {
  const { setAgent, stored } = createSite();
  await setAgent(`\u001b[31mFire\tfox\u007f\u0085${'x'.repeat(300)}`);
  assert.equal((await stored())?.agent, `[31mFirefox${'x'.repeat(189)}`);
});

test('a visit extends the session, but never beyond its absolute timeout', async () => {
  const { send, stored, wait, visitor } = createSite();
  await send(startSession(ADA));
  wait(60_000);
  await visitor.get('/who');
  assert.deepEqual((await stored())?.endsAt, new Date('2026-11-21T06:01:00Z'));
  for (let hours = 0; hours < 14 * 24 - 12; hours += 6) {
    wait(6 * 3_600_000);
    await visitor.get('/who');
  }
  assert.deepEqual((await stored())?.endsAt, new Date('2026-12-04T18:00:00Z'));
});

function withoutIds(flashes: readonly Flash[] = []) {
  return flashes.map(({ id, ...rest }) => rest);
}

test('the changes of one response are applied in order, with one call of the store', async () => {
  const { send, stored, calls } = createSite();
  await send(keepDraft(DRAFT), startSession(BO), startSession(ADA), addFlash(HOME, 'Hello.'));
  const first = await stored();
  assert.equal(first?.user.name, 'ada');
  assert.deepEqual(withoutIds(first?.flashes), [{ path: '/home', message: 'Hello.' }]);
  assert.equal(first?.draft, null);
  assert.deepEqual(calls, ['create']);

  await send(keepDraft(DRAFT), addFlash(HOME, 'One.'), addFlash(HOME, 'Two.'));
  assert.deepEqual((await stored())?.draft, DRAFT);
  assert.equal((await stored())?.flashes.length, 3);
  await send(keepDraft(DRAFT), dropDraft);
  assert.equal((await stored())?.draft, null);
  assert.deepEqual(calls, ['create', 'update', 'update']);
});

test('a log-in keeps the draft of the session that it replaces, only for the same user', async () => {
  const { send, stored } = createSite();
  const other = { ...DRAFT, once: 'other' };
  await send(startSession(ADA, { draft: DRAFT }));
  await send(startSession(ADA));
  assert.deepEqual((await stored())?.draft, DRAFT);
  await send(startSession(ADA, { draft: other }));
  assert.deepEqual((await stored())?.draft, other);
  await send(startSession(BO));
  assert.equal((await stored())?.draft, null);
});

test('changes after the end of a session are dropped, but a start is applied', async () => {
  const { send, stored, calls, visitor } = createSite();
  await send(startSession(ADA));
  await send(endSession, startSession(BO), addFlash(HOME, 'Hello.'));
  assert.equal((await stored())?.user.name, 'bo');
  assert.equal((await stored())?.flashes.length, 1);
  await send(startSession(ADA), endSession, addFlash(HOME, 'Bye.'), renewSession);
  assert.equal(visitor.cookie('sid'), null);
  assert.deepEqual(calls, ['create', 'create', 'delete']);
});

test('a renewed session has a new id, and keeps all but its key and its messages', async () => {
  const { send, stored, visitor, wait } = createSite();
  await send(startSession(ADA), keepDraft(DRAFT));
  const [before, old] = [await stored(), visitor.cookie('sid')];
  wait(1_000);
  const answer = await send(renewSession, addFlash(HOME, 'Password changed.'));
  assert.notEqual(visitor.cookie('sid'), old);
  assert.match(String(answer.headers['Set-Cookie']), /; Max-Age=1209599;/);
  const { flashes, ...renewed } = (await stored()) ?? assert.fail();
  const { flashes: _, ...rest } = before ?? assert.fail();
  assert.deepEqual(renewed, { ...rest, key: toTokenKey(visitor.cookie('sid') ?? '') });
  assert.deepEqual(withoutIds(flashes), [{ path: '/home', message: 'Password changed.' }]);
});

test('nothing is stored for a visitor without a session; a message alone goes into a cookie', async () => {
  const { sendStrange, calls } = createSite();
  for (const change of [keepDraft(DRAFT), dropDraft, renewSession]) {
    assert.deepEqual(await sendStrange(change), text('done'), change.kind);
  }
  const { headers } = await sendStrange(addFlash(HOME, 'Hello.'));
  assert.match(String(headers['Set-Cookie']), /^flash=/);
  assert.deepEqual(calls, []);
});

test('a change of a session that has ended meanwhile is dropped', async () => {
  const store = createMemorySessionStore();
  const { send, stored } = createSite({
    ...store,
    // Another tab ends the session between the read and the change.
    update: async (key, change) => {
      await store.delete(key);
      return store.update(key, change);
    },
    renew: async (key, change) => {
      await store.delete(key);
      return store.renew(key, change);
    },
  });
  for (const change of [addFlash(HOME, 'Hello.'), keepDraft(DRAFT), renewSession]) {
    await send(startSession(ADA));
    const answer = await send(change);
    assert.doesNotMatch(String(answer.headers['Set-Cookie']), /^sid=/);
    assert.equal(await stored(), null);
  }
});

test('no cache stores a response that sets the cookie', async () => {
  const router = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/', () => {
      const answer = withSession(text('in'), startSession(ADA));
      return withHeader(answer, 'Cache-Control', 'public, max-age=60');
    });
  assert.equal((await router.handle(post('/'))).headers['Cache-Control'], 'no-store');
});
