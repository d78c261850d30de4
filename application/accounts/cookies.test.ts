/** A log-in whose cookie does not come back, or not alone. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, get, post } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
  setCookieOf,
} from '../testing/create-test-application.ts';

const ACCOUNT = { username: 'ada', password: PASSWORD };

test('a browser that keeps no cookie is told so by the page after the log-in', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const headers = { referer: 'http://localhost/login', 'user-agent': 'Firefox' };
  for (const next of ['/items', '/items/new']) {
    const answer = await application.handle(post('/login', { ...ACCOUNT, next }, { headers }));
    let page = answer;
    while (page.status === 303)
      page = await application.handle(get(String(page.headers['Location']), { headers }));
    assert.match(
      bodyText(page),
      /<div class="flash"[^>]*><p>You are not logged in: your browser keeps/,
    );
    // With the cookie, or from the page of a visitor, nothing is said.
    const cookie = String(setCookieOf(answer, 'sid')).replace(/;.*/, '');
    const withCookie = { headers: { ...headers, cookie } };
    assert.doesNotMatch(bodyText(await application.handle(get('/items', withCookie))), /keeps no/);
    assert.doesNotMatch(bodyText(await createVisitor(application).get('/items')), /keeps no/);
  }
});

test('SESSION_COOKIE names the cookies of the site', async (t) => {
  const environment = { SESSION_COOKIE: 'inventory' };
  const application = await createTestApplication(t, { environment });
  const member = await createMember(application);
  assert.ok(member.cookie('inventory') !== null && member.cookie('inventory-device') !== null);
  assert.deepEqual([member.cookie('sid'), member.cookie('device')], [null, null]);
  assert.match(bodyText(await member.get('/items')), /Logged in as/);
});
