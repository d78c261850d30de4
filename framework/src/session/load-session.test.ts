import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { text, withCookie, withSession } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post, type RequestInit } from '../testing/make-request.ts';
import { createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { Session } from './session.ts';
import { endSession, startSession } from './session-change.ts';
import type { SessionStore } from './session-store.ts';
import { createToken, toTokenKey } from './token.ts';

const ADA = { id: 1, name: 'ada' };

/** A store in memory that records its sessions and look-ups. */
function createRecordingStore() {
  const store = createMemorySessionStore();
  const lookups: string[] = [];
  const created: Session[] = [];
  const recording: SessionStore = {
    ...store,
    find(key) {
      lookups.push(key);
      return store.find(key);
    },
    create(session, replaced) {
      created.push(session);
      return store.create(session, replaced);
    },
  };
  return { ...recording, lookups, created };
}

function createSite(store: SessionStore) {
  return createRouter()
    .use(loadSession({ store }))
    .get('/who', ({ session }) => text(session === null ? 'nobody' : session.user.name))
    .post('/login', () => withSession(text('in'), startSession(ADA)))
    .post('/logout', () => withSession(text('out'), endSession));
}

function withSid(value: string): RequestInit {
  return { headers: { cookie: `sid=${value}` } };
}

async function logIn(store: SessionStore): Promise<string> {
  const visitor = createVisitor(createSite(store));
  await visitor.post('/login');
  return visitor.cookie('sid') ?? assert.fail('no cookie was set');
}

const CLEARED = ['sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'];

test('a visitor without a cookie has no session and gets no cookie', async () => {
  const store = createRecordingStore();
  const answer = await createSite(store).handle(get('/who'));
  assert.deepEqual(answer, text('nobody'));
  assert.deepEqual(store.lookups, []);
});

test('a route without a session does not read the store and does not change the cookie', async () => {
  const store = createRecordingStore();
  const site = createRouter()
    .use(loadSession({ store, except: ['/healthz'] }))
    .get('/healthz', ({ session }) => text(session === null ? 'nobody' : 'somebody'));
  for (const cookies of [withSid(createToken()), withSid('not a token')])
    assert.deepEqual(await site.handle(get('/healthz', cookies)), text('nobody'));
  assert.deepEqual(store.lookups, []);
});

test('a log-in over http sets the cookie sid', async () => {
  const answer = await createSite(createMemorySessionStore()).handle(post('/login'));
  assert.match(
    String(answer.headers['Set-Cookie']),
    /^sid=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
  );
});

test('a log-in over https sets the cookie __Host-sid with Secure', async () => {
  const site = createSite(createMemorySessionStore());
  const answer = await site.handle(post('/login', {}, { scheme: 'https' }));
  assert.match(
    String(answer.headers['Set-Cookie']),
    /^__Host-sid=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('over https the cookie sid, which plain http could have planted, is ignored', async () => {
  const store = createRecordingStore();
  const token = await logIn(store);
  const site = createSite(store);
  const planted = await site.handle(get('/who', { ...withSid(token), scheme: 'https' }));
  assert.equal(planted.body, 'nobody');
  const headers = { cookie: `__Host-sid=${token}` };
  assert.equal((await site.handle(get('/who', { headers, scheme: 'https' }))).body, 'ada');
});

test('after a log-in, the cookie identifies the user', async () => {
  const visitor = createVisitor(createSite(createMemorySessionStore()));
  await visitor.post('/login');
  assert.deepEqual(await visitor.get('/who'), text('ada'));
});

test('the store holds the SHA-256 of the token and never the token', async () => {
  const store = createRecordingStore();
  const token = await logIn(store);
  assert.deepEqual(
    store.created.map(({ key }) => key),
    [hash('sha256', token, 'hex')],
  );
  assert.ok(!JSON.stringify(store.created).includes(token));
});

test('every log-in creates a new id and invalidates the old one', async () => {
  const store = createRecordingStore();
  const first = await logIn(store);
  const answer = await createSite(store).handle(post('/login', {}, withSid(first)));
  const second = /^sid=([^;]+)/.exec(String(answer.headers['Set-Cookie']))?.[1] ?? '';
  assert.notEqual(second, first);
  assert.notEqual(await store.find(toTokenKey(second)), null);
  assert.equal((await createSite(store).handle(get('/who', withSid(first)))).body, 'nobody');
});

test('an id that the store does not know is never adopted, and its cookie is left alone', async () => {
  const store = createRecordingStore();
  const planted = createToken();
  const site = createSite(store);
  const answer = await site.handle(get('/who', withSid(planted)));
  assert.deepEqual(answer, text('nobody'));
  assert.deepEqual(store.created, []);

  const loggedIn = await site.handle(post('/login', {}, withSid(planted)));
  assert.ok(!String(loggedIn.headers['Set-Cookie']).startsWith(`sid=${planted}`));
  assert.equal(await store.find(toTokenKey(planted)), null);
});

test('an id in the wrong format is not looked up', async () => {
  const store = createRecordingStore();
  const token = createToken();
  const others = [token.slice(1), `${token}A`, `${token.slice(1)}=`, `"${token}"`];
  for (const value of ['', '__proto__', ...others, 'x'.repeat(16_000)]) {
    const answer = await createSite(store).handle(get('/who', withSid(value)));
    assert.deepEqual(answer, text('nobody'));
  }
  assert.deepEqual(store.lookups, []);
});

test('a cookie with a similar name is not the session', async () => {
  const store = createRecordingStore();
  const token = await logIn(store);
  for (const name of ['SID', 'xsid', '"sid"', '$sid', '$Version=1,sid', '__Host-sid']) {
    const cookie = `${name}=${token}`;
    const answer = await createSite(store).handle(get('/who', { headers: { cookie } }));
    assert.deepEqual(answer, text('nobody'), JSON.stringify(cookie));
  }
});

test('a cookie header that cannot be read is no error', async () => {
  const site = createSite(createMemorySessionStore());
  const lines = ['', '===;;;', '%', '%00%zz', 'sid', 'sid=; sid', 'sid=%zz; %', ';'.repeat(1_000)];
  for (const cookie of [...lines, 'a=b; '.repeat(1_000), 'sid=\u00e9', 'sid=a\0b'])
    assert.equal((await site.handle(get('/who', { headers: { cookie } }))).body, 'nobody', cookie);
});

test('a session id in the URL or in a form is ignored', async () => {
  const store = createRecordingStore();
  const token = await logIn(store);
  const site = createSite(store);
  for (const target of [`/who?sid=${token}`, `/who?__Host-sid=${token}`])
    assert.deepEqual(await site.handle(get(target)), text('nobody'), target);
  const answer = await site.handle(post(`/login?sid=${token}`, { sid: token }));
  assert.ok(!String(answer.headers['Set-Cookie']).includes(token));
});

test('logging out deletes the session and clears the cookie', async () => {
  const store = createRecordingStore();
  const token = await logIn(store);
  const site = createSite(store);
  const answer = await site.handle(post('/logout', {}, withSid(token)));
  assert.deepEqual(answer.headers['Set-Cookie'], CLEARED);
  assert.equal(await store.find(toTokenKey(token)), null);
  assert.equal((await site.handle(get('/who', withSid(token)))).body, 'nobody');
});

test('the session cookie is sent beside the cookies of the handler', async () => {
  const site = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/login', () => withSession(withCookie(text('in'), 'seen=1'), startSession(ADA)));
  const answer = await site.handle(post('/login'));
  const [first, second, ...others] = answer.headers['Set-Cookie'] ?? [];
  assert.equal(first, 'seen=1');
  assert.match(String(second), /^sid=/);
  assert.deepEqual(others, []);
});
