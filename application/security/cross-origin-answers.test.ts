/**
 * Rows D8 to D11 of docs/hostile.md: GETs from other sites change nothing, and other sites cannot
 * read responses.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { RawAnswer } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { ask, crawl, dumpDatabase, FORM, pathOf, type Site, send, startSite } from './probe.ts';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

const EVIL = 'http://evil.example';

test('D8: no GET changes the database, also when it is sent twice', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  for (let count = 0; count < 25; count++) await member.post('/items', { name: `Item ${count}` });
  const starts = application.routes.map(({ pattern }) => pathOf(pattern));
  // The first GET of a page removes its flash from the session. So visit all pages once before.
  const { sessions: _withFlashes, ...before } = await dumpDatabase(application.database.url);
  await crawl(member, starts);
  const earlier = await dumpDatabase(application.database.url);
  const { sessions: _without, ...after } = earlier;
  assert.deepEqual(after, before);
  for (let time = 0; time < 2; time++) {
    const seen = await crawl(member, [...starts, '/styles.css', '/nothing']);
    assert.ok(seen.size > starts.length && seen.has('/items?page=2'), [...seen].join(' '));
  }
  assert.deepEqual(await dumpDatabase(application.database.url), earlier);
  assert.equal((await member.get('/items/new')).status, 200);
});

test('D9: no response lets another origin read it', async () => {
  const asked = { Origin: EVIL, 'Access-Control-Request-Method': 'POST' };
  for (const path of [
    '/',
    '/items',
    '/items/new',
    '/login',
    '/styles.css',
    '/healthz',
    '/nothing',
  ]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const headers = { Cookie: site.cookie, ...asked };
      const answer = await ask(site.url, path, headers, method);
      const names = answer.headers.map(([name]) => name);
      assert.deepEqual(
        names.filter((name) => /^(access-control|timing-allow)/i.test(name)),
        [],
        path,
      );
    }
  }
});

test('D10: no cache stores a refusal', async () => {
  const cookie = { Cookie: site.cookie };
  const large = { 'Content-Type': FORM, 'Content-Length': '10000000', Expect: '100-continue' };
  const answers: readonly (readonly [status: number, answer: RawAnswer])[] = [
    [303, await ask(site.url, '/items/new')],
    [400, await ask(site.url, '/%ff')],
    [400, await ask(site.url, '/items new')],
    [401, await send(site.url, '/items', 'name=x')],
    [401, await send(site.url, '/login', { username: 'ada', password: 'wrong' })],
    [403, await send(site.url, '/items', 'name=x', { 'Sec-Fetch-Site': 'cross-site' })],
    [404, await ask(site.url, '/nothing')],
    [404, await ask(site.url, '/items/999999')],
    [413, await ask(site.url, '/items', { ...cookie, ...large }, 'POST')],
    [415, await send(site.url, '/items', 'name=x', { ...cookie, 'Content-Type': 'text/plain' })],
    [417, await ask(site.url, '/items', { Expect: 'a miracle' })],
    [431, await ask(site.url, '/items', { Long: 'x'.repeat(20_000) })],
    [501, await ask(site.url, '/items', {}, 'BREW')],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status);
    assert.equal(answer.header('Cache-Control'), 'no-store', String(status));
  }
  // Caches do not store a response to a POST without a lifetime. The browser has the form for Back.
  const refused = await send(site.url, '/items', 'name=', cookie);
  assert.equal(refused.status, 400);
  assert.equal(refused.header('Cache-Control'), 'private, no-cache');
});

test('D11: no other origin can embed a response or keep a reference to its window', async () => {
  const paths = [
    '/',
    '/items',
    '/items/new',
    '/login',
    '/styles.css',
    '/healthz',
    '/%ff',
    '/nothing',
  ];
  const answers = await Promise.all(paths.map((path) => ask(site.url, path)));
  const refused = await send(site.url, '/items', 'name=x', { 'Sec-Fetch-Site': 'cross-site' });
  for (const answer of [...answers, refused]) {
    assert.equal(answer.header('Cross-Origin-Resource-Policy'), 'same-origin');
    assert.equal(answer.header('Cross-Origin-Opener-Policy'), 'same-origin');
  }
});
