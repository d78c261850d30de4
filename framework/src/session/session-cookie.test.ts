/** The cookie of the session among those of other sites, and in a browser that keeps none. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { seeOther, text, withSession } from '../http/response.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { loadSession } from './load-session.ts';
import { endSession, startSession, withFlash } from './session-change.ts';
import { createToken } from './token.ts';

const HOME = localPath('/');

function openSite(session: { readonly cookie?: string; readonly now?: () => Date } = {}) {
  return createSite(createMemoryStores(), { log: false, session })
    .get('/', ({ session, flash }) => text(`${session?.user.name ?? 'nobody'}: ${flash ?? ''}`))
    .post('/login', () => withSession(seeOther(HOME), startSession({ id: 1, name: 'ada' })))
    .post('/say', () => withFlash(seeOther(HOME), 'Hello.'))
    .post('/logout', () => withSession(seeOther(HOME), endSession));
}

/** One browser, whose cookies do not tell the ports of a host apart. */
function openBrowser(first: ReturnType<typeof openSite>, second: ReturnType<typeof openSite>) {
  const visitor = createVisitor({
    handle: (request) =>
      (request.headers['host'] === 'localhost:2' ? second : first).handle(request),
  });
  const at = (port: 1 | 2) => ({ headers: { host: `localhost:${port}` } });
  return {
    send: (port: 1 | 2, path: string) => visitor.post(path, {}, at(port)),
    read: async (port: 1 | 2) => bodyText(await visitor.get('/', at(port))),
    cookie: visitor.cookie,
  };
}

test('two sites on one host with two names keep their sessions and messages apart', async () => {
  const { send, read, cookie } = openBrowser(openSite(), openSite({ cookie: 'inventory' }));
  await send(1, '/login');
  await send(2, '/login');
  await send(2, '/say');
  assert.equal(await read(1), 'ada: ');
  assert.equal(await read(2), 'ada: Hello.');
  assert.ok(cookie('sid') !== null && cookie('inventory') !== null);
  await send(2, '/logout');
  assert.deepEqual([await read(1), await read(2)], ['ada: ', 'nobody: ']);
  // A visitor's message is in a cookie.
  await send(2, '/say');
  assert.deepEqual([await read(1), await read(2)], ['ada: ', 'nobody: Hello.']);
});

test('two sites on one host with one name log nobody out of the other', async () => {
  const { send, read, cookie } = openBrowser(openSite(), openSite());
  await send(1, '/login');
  await send(2, '/login');
  assert.deepEqual([await read(1), await read(2)], ['ada: ', 'ada: ']);
  // Logged in again, the session before is over, and its token is not kept.
  await send(1, '/login');
  assert.equal(cookie('sid')?.split('.').length, 2);
  assert.deepEqual([await read(1), await read(2)], ['ada: ', 'ada: ']);
  await send(2, '/logout');
  assert.deepEqual([await read(1), await read(2)], ['ada: ', 'nobody: ']);
  await send(1, '/logout');
  assert.equal(cookie('sid'), null);
});

test('a session of this site that was planted behind the own one is not what is left after the log-out', async () => {
  const site = openSite();
  const attacker = createVisitor(site);
  await attacker.post('/login');
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const cookie = `sid=${visitor.cookie('sid')}.${attacker.cookie('sid')}`;
  const answer = await site.handle(post('/logout', {}, { headers: { cookie } }));
  assert.match(String(answer.headers['Set-Cookie']), /^sid=; Path=\/; Max-Age=0/);
});

test('a cookie has at most four tokens, the newest first, and nothing else', async () => {
  const site = openSite();
  const others = Array.from({ length: 4 }, () => createToken());
  const set = async (value: string) => {
    const init = { headers: { cookie: `sid=${value}` } };
    const answer = await site.handle(post('/login', {}, init));
    return /^sid=([^;]*);/.exec(String(answer.headers['Set-Cookie']))?.[1]?.split('.') ?? [];
  };
  assert.deepEqual((await set(others.join('.'))).slice(1), others.slice(0, 3));
  for (const value of [`${others.join('.')}.${createToken()}`, `${others[0]}.x`, 'x', '...'])
    assert.equal((await set(value)).length, 1, value);
});

test('a site with the same name of the cookie does not end the session of the other', async () => {
  const { send, read } = openBrowser(openSite(), openSite());
  await send(1, '/login');
  assert.equal(await read(2), 'nobody: ');
  await send(2, '/say');
  await send(2, '/logout');
  assert.equal(await read(1), 'ada: ');
});

test('over https the name has its prefix', async () => {
  const answer = await openSite({ cookie: 'inventory' }).handle(
    post('/login', {}, { scheme: 'https' }),
  );
  assert.match(String(answer.headers['Set-Cookie']), /^__Host-inventory=[\w-]{43}; .*Secure/);
});

test('a name that browsers or the site use otherwise is refused at the start', () => {
  const store = createMemoryStores().sessions;
  for (const cookie of ['', '__Host-sid', 'a b', 'a;b', 'flash', 'awaited', 'x'.repeat(65), 'é'])
    assert.throws(() => loadSession({ store, cookie }), /Cannot .*cookie/, cookie);
});

test('a second cookie of the name is said after the log-in, and never used', async () => {
  const site = openSite();
  const visitor = createVisitor(site);
  await visitor.post('/login');
  const own = visitor.cookie('sid');
  const read = async (cookie: string) =>
    bodyText(await site.handle(get('/', { headers: { cookie } })));
  for (const other of ['planted', 'A'.repeat(43)]) {
    assert.match(
      await read(`sid=${other}; sid=${own}`),
      /^nobody: You are not logged in: .* two cookies named sid/,
    );
    assert.match(await read(`sid=${own}; sid=${other}`), /^nobody: You are not logged in/);
    // Nobody has logged in.
    assert.equal(await read(`sid=${other}; sid=other`), 'nobody: ');
  }
  assert.match(await read(`sid=${own}; sid=${own}`), /^nobody: You are not logged in/);
  assert.equal(await read(`sid=${own}`), 'ada: ');
});

test('a browser that keeps no cookie is told after the log-in, and nobody else', async () => {
  let time = Date.parse('2026-11-20T12:00:00Z');
  const site = openSite({ now: () => new Date(time) });
  const headers = { referer: 'http://localhost/login', 'user-agent': 'Firefox' };
  const read = async (init: Parameters<typeof get>[1]) =>
    bodyText(await site.handle(get('/', init)));
  const answer = await site.handle(post('/login', {}, { headers }));
  assert.match(
    await read({ headers }),
    /^nobody: You are not logged in: your browser keeps no cookies/,
  );
  for (const other of [
    { headers, address: '192.0.2.7' },
    { headers: { ...headers, 'user-agent': 'Chromium' } },
    { headers: { ...headers, referer: 'http://localhost/' } },
    { headers: { 'user-agent': 'Firefox' } },
    { headers: { ...headers, cookie: 'sid=other' } },
  ])
    assert.equal(await read(other), 'nobody: ');
  // The cookie arrives after all.
  const cookie = String(answer.headers['Set-Cookie']).replace(/;.*/, '');
  assert.equal(await read({ headers: { ...headers, cookie } }), 'ada: ');
  assert.equal(await read({ headers }), 'nobody: ');
  await site.handle(post('/login', {}, { headers }));
  time += 15_000;
  assert.equal(await read({ headers }), 'nobody: ');
});
