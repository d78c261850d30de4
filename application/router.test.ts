import assert from 'node:assert/strict';
import test from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, get, post, request } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from './testing/create-test-application.ts';
import { addItem } from './testing/open-test-database.ts';

const PLAIN_404 = 'Not found: there is nothing at this address.\n';

test('the routes have this order, and the protected ones require a session', async (t) => {
  const { routes } = await createTestApplication(t);
  const lines = routes.map(({ method, pattern, middleware }) =>
    [method, pattern, ...middleware.map(({ name }) => name)].join(' '),
  );
  assert.deepEqual(lines, [
    'GET /',
    'GET /items limitSearches compressPages answerNotModified',
    'GET /items/new requireMember',
    'POST /items requireMember readForm onlyOnce createItem',
    'GET /items/locations',
    'GET /items/tags',
    'GET /items/rename requireMember',
    'POST /items/rename requireMember readForm onlyOnce rename',
    'GET /items/select requireMember limitSearches',
    'POST /items/select requireMember readForm onlyOnce changeSelected',
    'GET /items/filters compressPages answerNotModified',
    'GET /items/history requireSession',
    'GET /items/history/batches/:batch(\\d+) requireSession',
    'POST /items/history/batches/:batch(\\d+)/undo requireMember limitRequests readForm onlyOnce',
    'GET /items/bin requireMember',
    'GET /items/:number(\\d+) limitSearches compressPages answerNotModified',
    'GET /items/:number(\\d+)/edit requireMember',
    'POST /items/:number(\\d+)/edit requireMember readForm onlyOnce editItem',
    'GET /items/:number(\\d+)/quantity requireMember',
    'POST /items/:number(\\d+)/quantity requireMember readForm onlyOnce countItem',
    'GET /items/:number(\\d+)/lend requireMember',
    'POST /items/:number(\\d+)/lend requireMember readForm onlyOnce lendItem',
    'POST /items/:number(\\d+)/return requireMember readForm onlyOnce',
    'POST /items/:number(\\d+)/delete requireMember readForm onlyOnce',
    'POST /items/:number(\\d+)/restore requireMember readForm onlyOnce',
    'GET /items/:number(\\d+)/remove requireAdministrator',
    'POST /items/:number(\\d+)/remove requireAdministrator readForm onlyOnce',
    'GET /items/:number(\\d+)/history requireSession',
    'POST /items/:number(\\d+)/history/:event(\\d+)/undo requireMember readForm onlyOnce',
    'GET /items/:number(\\d+)/history/:event(\\d+)/remove requireAdministrator',
    'POST /items/:number(\\d+)/history/:event(\\d+)/remove requireAdministrator readForm onlyOnce removeValue',
    'GET /items/import requireMember',
    'POST /items/import requireMember limitRequests readUpload onlyOnce uploadImport',
    'GET /items/imports/:id(\\d+) requireMember',
    'POST /items/imports/:id(\\d+)/run requireMember readForm onlyOnce',
    'POST /items/imports/:id(\\d+)/stop requireMember readForm onlyOnce',
    'GET /register',
    'POST /register withoutLimit readForm register',
    'GET /reset-password',
    'POST /reset-password readForm resetPassword',
    'GET /login',
    'POST /login readForm logIn',
    'POST /logout',
    'GET /forget.css',
    'POST /draft/discard requireSession',
    'GET /account requireSession',
    'POST /account/password requireSession readForm onlyOnce changePassword',
    'GET /account/sessions/end requireSession',
    'POST /account/sessions/end requireSession readForm endOwnSessions',
    'GET /people requireSession',
    'POST /people/invitations requireAdministrator readForm onlyOnce invite',
    'POST /people/invitations/withdraw requireAdministrator readForm',
    'GET /people/:id(\\d+) requireAdministrator',
    'POST /people/:id(\\d+)/role requireAdministrator readForm changeRole',
    'POST /people/:id(\\d+)/reset requireAdministrator readForm onlyOnce',
    'POST /people/:id(\\d+)/remove requireAdministrator',
    'POST /people/:id(\\d+)/restore requireAdministrator',
    'GET /items.csv limitRequests',
    'GET /healthz',
    'GET /readyz',
  ]);
});

test('a path without a route is a 404 in plain text', async (t) => {
  const { handle } = await createTestApplication(t);
  const paths = [
    '/favicon.ico',
    '/item',
    '/items/',
    '/ITEMS',
    '/items/1/',
    '/.env',
    '/public/styles.css',
  ];
  for (const path of paths) {
    const answer = await handle(get(path));
    assert.equal(answer.status, 404, path);
    assert.equal(headerOf(answer, 'Content-Type'), 'text/plain; charset=utf-8', path);
    assert.equal(bodyText(answer), PLAIN_404, path);
  }
});

test('a path that only another method serves is a 404 in plain text', async (t) => {
  const { handle } = await createTestApplication(t);
  const requests = [
    get('/logout'),
    post('/items/new'),
    post('/items/1'),
    post('/styles.css'),
    post('/'),
    ...['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'get', 'PROPFIND'].map((method) =>
      request(method, '/items', null),
    ),
  ];
  for (const one of requests) {
    const answer = await handle(one);
    assert.equal(answer.status, 404, `${one.method} ${one.path}`);
    assert.equal(bodyText(answer), PLAIN_404, `${one.method} ${one.path}`);
  }
});

test('no other spelling of its path reaches a protected page', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const visitor = createVisitor(application);
  const spellings = [
    ['//items/new', 404],
    ['/./items/new', 404],
    ['/x/../items/new', 404],
    ['/items/new/', 404],
    ['/items/new;x', 404],
    ['/items/NEW', 404],
    ['/items/new%20', 404],
    ['/items/new.html', 404],
    ['/items%2Fnew', 404],
    ['/items/..%2fitems/new', 404],
    ['/items/%256eew', 404],
    ['/items/new%00', 400],
    ['/items/%ff', 400],
    ['/%zz', 400],
    ['/items\\new', 400],
  ] as const;
  for (const [path, status] of spellings) {
    assert.equal((await visitor.get(path)).status, status, path);
    assert.equal((await member.get(path)).status, status, path);
  }
});

test('a path is percent-decoded once, for the guard and for the page alike', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  assert.equal((await createVisitor(application).get('/items/%6eew')).status, 303);
  assert.equal((await member.get('/items/%6eew')).status, 200);
  assert.equal((await member.get('/%69tems')).status, 200);
});

test('the start page redirects to the list', async (t) => {
  const { handle } = await createTestApplication(t);
  const answer = await handle(get('/'));
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items');
});

test('no GET changes anything', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const drill = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
  await addItem(application.database, drill, 1);
  const dump = async () => {
    const { read } = application.database;
    const tables = [
      ...(['accounts', 'sessions', 'items', 'item_tags', 'item_events', 'receipts'] as const),
      'counters',
    ] as const;
    return Promise.all(tables.map((table) => read.selectFrom(table).selectAll().execute()));
  };
  const before = await dump();
  const paths = [
    '/',
    '/items',
    '/items?page=2',
    '/items/new',
    '/items/1',
    '/items/9',
    '/register',
  ].concat([
    '/items/history',
    '/items/bin',
    '/items/filters',
    '/items/1/edit',
    '/items/1/quantity',
    '/items/1/lend',
    '/items/1/history',
  ]);
  for (const path of [...paths, '/login?next=/items', '/logout', '/healthz', '/readyz']) {
    for (let count = 0; count < 2; count++) await member.get(path);
  }
  assert.deepEqual(await dump(), before);
});

test('every kind of response has the secure headers, and none names its software', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: { ...items, find: () => Promise.reject(new Error('broken')) },
    }),
  });
  const { handle } = application;
  const css = await handle(get('/styles.css'));
  const list = await handle(get('/items'));
  const etag = headerOf(css, 'ETag') ?? '';
  const answers: readonly (readonly [number, Response])[] = [
    [200, list],
    [200, css],
    [303, await handle(get('/'))],
    [304, await handle(get('/styles.css', { headers: { 'if-none-match': etag } }))],
    [400, await handle(get('/%zz'))],
    [401, await handle(post('/items'))],
    [403, await handle(post('/items', {}, { headers: { 'sec-fetch-site': 'cross-site' } }))],
    [404, await handle(get('/nothing'))],
    [415, await handle(post('/login', 'a', { headers: { 'content-type': 'text/plain' } }))],
    [500, await handle(get('/items/1'))],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status);
    const policy = headerOf(answer, 'Content-Security-Policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self';.* frame-ancestors 'none';/);
    assert.equal(headerOf(answer, 'X-Content-Type-Options'), 'nosniff');
    assert.equal(headerOf(answer, 'Referrer-Policy'), 'same-origin');
    assert.equal(headerOf(answer, 'Cross-Origin-Resource-Policy'), 'same-origin');
    assert.equal(headerOf(answer, 'Cross-Origin-Opener-Policy'), 'same-origin');
    const cached = status === 304 || answer === css;
    const caching = cached ? 'no-cache' : answer === list ? 'private, no-cache' : 'no-store';
    assert.equal(headerOf(answer, 'Cache-Control'), caching);
    const names = Object.keys(answer.headers).map((name) => name.toLowerCase());
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin']) {
      assert.equal(names.includes(name), false, `${status} has ${name}`);
    }
  }
});

test('no page has an inline script, style or event handler', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const member = await createMember(application);
  for (const path of ['/items', '/items/new', '/items/1', '/account', '/register']) {
    const answer = await member.get(path);
    assert.equal(headerOf(answer, 'Content-Type'), 'text/html; charset=utf-8', path);
    assert.doesNotMatch(bodyText(answer), /<script|<style|<[^>]+ (style|on[a-z]+)=/i, path);
  }
});
