/**
 * What the chain gives to every route. The rules themselves are proved in framework/; here each is seen
 * to be switched on for all routes of the application, and so for one that is added later.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Request, Route } from 'seeother';
import { bodyText, request } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../testing/create-test-application.ts';
import {
  crawl,
  dumpDatabase,
  EVERYWHERE,
  FORM,
  OF_PASSKEYS,
  openEveryWay,
  pathOf,
} from './probe.ts';

const GUARDS = ['requireSession', 'requireMember', 'requireAdministrator', 'requireRole'];

/** Two forms of accounts are sent by the company, whose tokens they prove. */
const OF_COMPANY = ['/login/with/company/return', '/login/with/company/ended'];

const runs = (route: Route, names: readonly string[]) =>
  route.middleware.some(({ name }) => names.includes(name));

/** The paths of all routes, of a file and of nothing. */
function pathsOf({ routes }: TestApplication): readonly string[] {
  return [...new Set([...routes.map(({ pattern }) => pathOf(pattern)), '/styles.css', '/nothing'])];
}

/** The tables with rows, as some are made when they are first used. */
async function dumpRows(url: string) {
  const tables = await dumpDatabase(url);
  return Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0));
}

/** An item, and how an administrator and a visitor send requests. */
async function openSite(t: TestContext, environment: Environment = {}, host = 'localhost') {
  const signIn = await openEveryWay();
  const application = await createTestApplication(t, { environment, signIn });
  const member = await createMember(application, 'ada', { headers: { host } });
  await member.post('/items', { name: 'Secret drill' });
  await member.get('/items/1');
  const cookie = `sid=${member.cookie('sid')}`;
  const dump = () => dumpRows(application.database.url);
  const send = (method: string, path: string, headers: Request['headers'], typed = 'name=Typed') =>
    application.handle(
      request(method, path, method === 'GET' ? null : Buffer.from(typed), { headers }),
    );
  return { application, cookie, dump, send };
}

test('D1: on every route a form from another site is a 403, and nothing of it is written or shown', async (t) => {
  const { application, cookie, dump, send } = await openSite(t);
  const earlier = await dump();
  const foreign = { 'sec-fetch-site': 'cross-site' };
  for (const path of pathsOf(application)) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'BREW', 'get']) {
      for (const headers of [foreign, { ...foreign, cookie }]) {
        const answer = await send(method, path, headers);
        const isAccepted = method === 'POST' && OF_COMPANY.includes(path);
        assert.equal(answer.status === 403, !isAccepted, `${method} ${path}`);
        assert.equal(headerOf(answer, 'Set-Cookie'), undefined, path);
        assert.doesNotMatch(bodyText(answer), /Typed/, path);
      }
    }
    for (const method of ['OPTIONS', 'TRACE'])
      assert.equal((await send(method, path, foreign)).status, 404, `${method} ${path}`);
  }
  assert.deepEqual(await dump(), earlier);
});

test('D12: on every route a request for another host is a 421, and reads and writes nothing', async (t) => {
  const checks = ['/healthz', '/readyz'];
  const own = [
    [{}, 'localhost', ['evil.example:8000', '127.0.0.1.evil.example']],
    [{ PUBLIC_ORIGIN: 'http://things.example' }, 'things.example', ['evil.example', 'localhost']],
  ] as const;
  for (const [environment, ownHost, hosts] of own) {
    const { application, cookie, dump, send } = await openSite(t, environment, ownHost);
    const earlier = await dump();
    for (const host of hosts) {
      // For the browser, a page of the host and this server are one site.
      const headers = { host, origin: `http://${host}`, cookie, 'sec-fetch-site': undefined };
      for (const path of pathsOf(application)) {
        for (const method of ['GET', 'POST']) {
          const answer = await send(method, path, headers);
          const isCheck = method === 'GET' && checks.includes(path);
          assert.equal(answer.status, isCheck ? 200 : 421, `${host} ${method} ${path}`);
          assert.doesNotMatch(bodyText(answer), /Secret|Typed/, path);
        }
      }
      const spoofed = { ...headers, host: ownHost };
      assert.equal((await send('POST', '/items', spoofed)).status, 403, host);
    }
    assert.deepEqual(await dump(), earlier);
  }
});

test('B4: without a session, no method passes a guard or changes anything', async (t) => {
  const { application, cookie, dump, send } = await openSite(t);
  const { routes } = application;
  const behind = routes.filter((route) => runs(route, GUARDS));
  assert.deepEqual(
    routes
      .filter((one) => one.method === 'POST' && !behind.includes(one))
      .map((one) => one.pattern),
    [
      ...['/login', '/login/again', '/logout', '/register', '/password/new', '/password/forgot'],
      ...['/login/second-factor', '/login/recovery-code', '/login/passkey'],
      ...['/login/second-factor/passkey', '/login/link', '/login/link/open'],
      ...['/account/email/confirm', '/login/with/company', ...OF_COMPANY, '/mail'],
    ],
  );
  const earlier = await dump();
  for (const { pattern } of behind) {
    const path = pathOf(pattern);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW']) {
      const answer = await send(method, path, {});
      const name = `${method === 'HEAD' ? 'GET' : method} ${pattern}`;
      const route = routes.find((one) => `${one.method} ${one.pattern}` === name);
      // By decision, a path that only another method serves is a 404 or leads to its form, and an unused method is a
      // 404.
      if (route === undefined) {
        const leads = answer.status === 303 && ['GET', 'HEAD'].includes(method);
        assert.ok(leads || answer.status === 404, name);
        assert.equal((await send(method, path, { cookie })).status, answer.status, name);
      } else if (behind.includes(route)) {
        assert.equal(answer.status, method === 'POST' ? 401 : 303, name);
        const place = method === 'POST' ? undefined : `/login?next=${encodeURIComponent(path)}`;
        assert.equal(headerOf(answer, 'Location'), place, name);
      }
    }
  }
  // A refused form waits an hour for the ways to log in that lead over other pages.
  const { seeother_values: waiting = [], ...later } = await dump();
  assert.deepEqual(later, earlier);
  for (const { key } of waiting) assert.match(String(key), /^draft:/);
  for (const { method, pattern } of behind) {
    const answer = await send(method, pathOf(pattern), { cookie }, '');
    assert.notEqual(answer.status, 401, pattern);
    assert.doesNotMatch(headerOf(answer, 'Location') ?? '', /^\/login/, pattern);
  }
});

test('C4: every route that reads a form refuses any other body and a larger one, unread and unwritten', async (t) => {
  const { application, cookie, dump, send } = await openSite(t);
  const earlier = await dump();
  const forms = application.routes.filter((route) => runs(route, ['readForm']));
  assert.ok(forms.length > 20);
  for (const route of forms) {
    const path = pathOf(route.pattern);
    // A form with files is taken in both encodings: its page may be of a version without files.
    const hasFiles = /^\/items$|\/(?:import|edit|files|picture)$/.test(path);
    const other = hasFiles ? [] : ['multipart/form-data; boundary=x'];
    for (const type of [
      ...other,
      'text/plain',
      'application/json',
      `${FORM}; charset=utf-16`,
      '',
    ]) {
      const answer = await send('POST', path, { cookie, 'content-type': type });
      assert.equal(answer.status, 415, `${path}: ${type}`);
    }
    const coded = { cookie, 'content-type': FORM, 'content-encoding': 'gzip' };
    assert.equal((await send('POST', path, coded)).status, 415, path);
    const large = { cookie, 'content-type': FORM, 'content-length': '99999999' };
    assert.equal((await send('POST', path, large)).status, 413, path);
  }
  assert.deepEqual(await dump(), earlier);
});

const OF_EVERY_OBJECT = ['__proto__', 'constructor', 'prototype', 'toString', '__proto__[x]'];

test('C1: on every route, fields named like properties of every object change nothing', async (t) => {
  const { application, cookie, send } = await openSite(t);
  const polluted = OF_EVERY_OBJECT.map((name) => `${encodeURIComponent(name)}=polluted`).join('&');
  for (const { method, pattern } of application.routes) {
    const path = pathOf(pattern);
    const headers = pattern === '/logout' ? {} : { cookie, 'content-type': FORM };
    const answer =
      method === 'GET'
        ? await send('GET', `${path}?${polluted}`, headers)
        : await send('POST', path, headers, polluted);
    // Nobody answers at the address of the company.
    const isAway = answer.status === 503 && path.endsWith('/company');
    assert.ok(answer.status < 500 || isAway, `${method} ${path} is ${answer.status}`);
  }
  assert.deepEqual([Reflect.get({}, 'x'), `${{}}`], [undefined, '[object Object]']);
});

test('D8: no GET changes the database, also when it is sent twice', async (t) => {
  const application = await createTestApplication(t, { signIn: await openEveryWay() });
  const member = await createMember(application);
  const dump = () => dumpRows(application.database.url);
  for (let count = 0; count < 25; count++) await member.post('/items', { name: `Item ${count}` });
  // The first GET of a page removes its message from the session. So visit all pages once before.
  const { sessions: _withMessages, ...before } = await dump();
  await crawl(member, pathsOf(application));
  const earlier = await dump();
  const { sessions: _without, ...after } = earlier;
  assert.deepEqual(after, before);
  const seen = await crawl(member, pathsOf(application));
  assert.ok(seen.size > 40 && seen.has('/items?page=2'), [...seen].join(' '));
  assert.deepEqual(await dump(), earlier);
  assert.equal((await member.get('/items/new')).status, 200);
});

const LINE = /^\[[\dT:.-]+Z\] \[[A-Z]+\] \S+ \d{3}$/;

test('G1: every route has all security headers and one line of the log, and lets no other origin read it', async (t) => {
  const { application, cookie, send } = await openSite(t);
  const { log, routes } = application;
  for (const headers of [{ origin: 'http://evil.example' }, { cookie }]) {
    for (const { method, pattern } of routes) {
      if (pattern === '/logout') continue;
      const lines = log.length;
      const answer = await send(method, pathOf(pattern), headers, '');
      const name = `${method} ${pattern} ${answer.status}`;
      const policy = headerOf(answer, 'Content-Security-Policy')?.replace(OF_PASSKEYS, '');
      const all = { ...answer.headers, 'Content-Security-Policy': policy };
      // Of a page with a token in its address, which is not even told to this site.
      const referrer = headerOf(answer, 'Referrer-Policy');
      const given = referrer === 'strict-origin' ? { 'Referrer-Policy': referrer } : {};
      // The page that reads codes.
      const camera = headerOf(answer, 'Permissions-Policy') ?? '';
      const allowed = pattern === '/scan' && camera.startsWith('camera=(self), ');
      const some = allowed ? { 'Permissions-Policy': camera } : {};
      assert.deepEqual({ ...all, ...EVERYWHERE, ...given, ...some }, all, name);
      assert.match(
        headerOf(answer, 'Cache-Control') ?? '',
        /^(?:no-store|private, no-cache)$/,
        name,
      );
      assert.deepEqual(
        log.slice(lines).map((line) => LINE.test(line) && line.replace(/^\S+ /, '')),
        [`[${method}] ${pathOf(pattern)} ${answer.status}`],
      );
    }
  }
});
