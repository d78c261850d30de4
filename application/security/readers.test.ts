/** READERS=members: what a visitor without an account gets. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, get, post, request } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';
import { addItem } from '../testing/open-test-database.ts';
import { openEveryWay, pathOf } from './probe.ts';

const SECRET = 'Hidden drill';
const DRILL = { name: SECRET, description: SECRET, quantity: 1, location: SECRET, tags: [SECRET] };
/** What leads to an account, and what those get who have none. */
const OPEN = [
  ...['/help', '/mail', '/healthz', '/readyz'],
  ...['/login', '/login/again', '/login/forget.css', '/login/link', '/login/link/open', '/logout'],
  ...['/login/second-factor', '/login/recovery-code', '/login/passkey'],
  '/login/second-factor/passkey',
  ...['', '/return', '/go', '/ended'].map((step) => `/login/with/company${step}`),
  ...['/register', '/mail-sent', '/password/forgot', '/password/new', '/account/email/confirm'],
];
/** Proofs that are missing are wrong ones. */
const PROOFS = /passkey$|^\/login\/with\/company/;
const PAGES = [
  '/',
  '/items',
  '/items?q=drill',
  '/items?page=9',
  '/items/1',
  '/items/2',
  '/items/9007199254740991',
];

async function openClosedSite(t: TestContext) {
  const everybody = await createTestApplication(t);
  await addItem(everybody.database, DRILL);
  const environment = { READERS: 'members' };
  const { database } = everybody;
  const signIn = await openEveryWay();
  return { everybody, members: await createTestApplication(t, { environment, database, signIn }) };
}

function assertTellsNothing(answer: Response, label: string): void {
  assert.equal(JSON.stringify([answer.headers, bodyText(answer)]).includes(SECRET), false, label);
}

test('B10: with READERS=members every route but the log-in redirects a visitor, or is a 401', async (t) => {
  const { members } = await openClosedSite(t);
  await createMember(members);
  for (const { method, pattern } of members.routes) {
    const path = pathOf(pattern);
    const answer = await members.handle(method === 'GET' ? get(path) : post(path, {}));
    const label = `${method} ${path}`;
    assertTellsNothing(answer, label);
    if (OPEN.includes(pattern)) assert.ok(answer.status !== 401 || PROOFS.test(pattern), label);
    else assert.equal(answer.status, method === 'GET' ? 303 : 401, label);
    if (answer.status !== 303 || OPEN.includes(pattern)) continue;
    assert.equal(headerOf(answer, 'Location'), `/login?next=${encodeURIComponent(path)}`, label);
    assert.equal(bodyText(answer), '', label);
  }
});

test('B10: an item that exists, one that does not, and a search get the same answer', async (t) => {
  const { members } = await openClosedSite(t);
  const visitor = createVisitor(members);
  for (const method of ['GET', 'HEAD']) {
    const kinds = new Set<string>();
    for (const path of PAGES) {
      const { status, headers, body } = await members.handle(request(method, path, null));
      const { Location, ...rest } = headers;
      assert.equal(Location, `/login?next=${encodeURIComponent(path)}`);
      kinds.add(JSON.stringify([status, rest, body]));
    }
    assert.equal(kinds.size, 1, [...kinds].join('\n'));
  }
  const unknown = await visitor.get('/nothing');
  assert.equal(unknown.status, 404);
  assert.equal(bodyText(unknown), 'Not found: there is nothing at this address.\n');
});

test('B10: no entity tag makes the list or an item a 304 for a visitor', async (t) => {
  const { everybody, members } = await openClosedSite(t);
  const member = await createMember(members);
  for (const path of ['/items', '/items/1']) {
    const tags = await Promise.all([createVisitor(everybody).get(path), member.get(path)]);
    // A member's page of an item has forms, and so no tag.
    const known = tags.map((one) => headerOf(one, 'ETag')).filter((tag) => tag !== undefined);
    assert.ok(known.length > 0);
    for (const tag of [...known, '*']) {
      const answer = await createVisitor(members).get(path, { headers: { 'if-none-match': tag } });
      assert.equal(answer.status, 303, `${path} ${tag}`);
      assert.equal(headerOf(answer, 'ETag'), undefined);
    }
  }
});

test('B10: a page that a member has just read stays hidden, and no cache shares it', async (t) => {
  const { members } = await openClosedSite(t);
  const member = await createMember(members);
  for (const path of ['/items', '/items/1']) {
    const read = await member.get(path);
    assert.match(bodyText(read), /Hidden drill/);
    assert.equal(headerOf(read, 'Cache-Control'), 'private, no-cache');
    assert.equal(headerOf(read, 'Vary'), 'Cookie, Accept-Encoding');
    const answer = await createVisitor(members).get(path);
    assert.equal(answer.status, 303);
    assert.equal(headerOf(answer, 'Cache-Control'), 'no-store');
  }
});

test('B10: after a log-out, and with an invented session, the member is a visitor', async (t) => {
  const { members } = await openClosedSite(t);
  const member = await createMember(members);
  await member.post('/logout');
  assert.equal((await member.get('/items')).status, 303);
  const cookie = `sid=${'A'.repeat(43)}`;
  assert.equal((await members.handle(get('/items', { headers: { cookie } }))).status, 303);
});

test('B10: the log-in leads back to the page, and the open pages name no item', async (t) => {
  const { members } = await openClosedSite(t);
  await createMember(members);
  const visitor = createVisitor(members);
  for (const path of ['/login?next=%2Fitems%2F1', '/register', '/register?token=x']) {
    const answer = await visitor.get(path);
    assertTellsNothing(answer, path);
    assert.doesNotMatch(bodyText(answer), /open to everyone/);
  }
  assert.match(bodyText(await visitor.get('/login')), /Only people with an account can read/);
  const logIn = { username: 'ada', password: 'correct horse battery' };
  const back = await visitor.submit('/login?next=%2Fitems%2F1', logIn);
  assert.match(bodyText(await visitor.follow(back)), /Hidden drill/);
});

test('B10: with READERS=everybody a visitor reads the list and the items', async (t) => {
  const { everybody } = await openClosedSite(t);
  for (const path of ['/items', '/items/1'])
    assert.match(bodyText(await createVisitor(everybody).get(path)), /Hidden drill/);
});
