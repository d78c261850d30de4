import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  setCookieOf,
} from '../testing/create-test-application.ts';
import { copyDatabase } from '../testing/dump-database.ts';

const ADA = { username: 'ada', password: PASSWORD };

test('the session cookie is HttpOnly and SameSite, for 14 days', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const answer = await createVisitor(application).submit('/login', ADA);
  assert.match(
    setCookieOf(answer, 'sid') ?? '',
    /^sid=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
  );
});

test('over https the cookie has the prefix __Host- and Secure', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const answer = await createVisitor(application).post('/login', ADA, { scheme: 'https' });
  assert.match(
    setCookieOf(answer, '__Host-sid') ?? '',
    /^__Host-sid=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.match(headerOf(answer, 'Strict-Transport-Security') ?? '', /^max-age=63072000/);
});

test('with "stay logged in" the cookie is for 90 days', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const answer = await createVisitor(application).submit('/login', { ...ADA, remember: 'on' });
  assert.match(setCookieOf(answer, 'sid') ?? '', /; Max-Age=7776000;/);
});

test('the database holds the hash of the cookie and never the cookie', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const token = member.cookie('sid') ?? '';
  assert.equal(token.length, 43);
  const rows = await application.database.read.selectFrom('sessions').select('key').execute();
  assert.deepEqual(
    rows.map(({ key }) => key),
    [createHash('sha256').update(token).digest('hex')],
  );
  const bytes = await copyDatabase(application.database.url);
  assert.equal(bytes.includes(rows[0]?.key ?? ''), true);
  assert.equal(bytes.includes(token), false);
});

test('a log-in creates a new id, and the old one ends', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const old = member.cookie('sid');
  await member.post('/login', ADA);
  assert.notEqual(member.cookie('sid'), old);
  assert.equal((await member.get('/items/new')).status, 200);
  const headers = { cookie: `sid=${old}` };
  assert.equal((await createVisitor(application).get('/items/new', { headers })).status, 303);
});

test('an unknown id never becomes a session', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const planted = 'A'.repeat(43);
  const headers = { cookie: `sid=${planted}` };
  const seen = await createVisitor(application).get('/items/new', { headers });
  assert.equal(seen.status, 303);
  assert.match(headerOf(seen, 'Set-Cookie') ?? '', /^sid=; Path=\/; Max-Age=0;/);
  const answer = await createVisitor(application).post('/login', ADA, { headers });
  assert.equal(answer.status, 303);
  assert.doesNotMatch(setCookieOf(answer, 'sid') ?? '', new RegExp(planted));
});

test('two session cookies are both ignored', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const good = `sid=${member.cookie('sid')}`;
  for (const cookie of [`sid=bad; ${good}`, `${good}; sid=bad`, `${good}; ${good}`]) {
    const answer = await createVisitor(application).get('/items/new', { headers: { cookie } });
    assert.equal(answer.status, 303, cookie);
    assert.match(headerOf(answer, 'Set-Cookie') ?? '', /; Max-Age=0;/);
  }
});

test('a cookie with a similar name is ignored', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const token = member.cookie('sid');
  const names = ['\u00a0sid', 'sid\u00a0', 'SID', '"sid"', '$sid', '__Host-sid', 'sid\u000b'];
  for (const name of names) {
    const headers = { cookie: `${name}=${token}` };
    const answer = await createVisitor(application).get('/items/new', { headers });
    assert.equal(answer.status, 303, JSON.stringify(name));
  }
  const headers = { cookie: `other=1;\tsid=${token} ; last` };
  assert.equal((await createVisitor(application).get('/items/new', { headers })).status, 200);
});

test('a malformed cookie header is not an error', async (t) => {
  const application = await createTestApplication(t);
  const broken = [
    '===;;;',
    '%',
    ';'.repeat(1_000),
    'sid',
    'sid=',
    'sid=%00',
    'a=b; '.repeat(1_000),
  ];
  for (const cookie of broken) {
    const answer = await createVisitor(application).get('/items', { headers: { cookie } });
    assert.equal(answer.status, 200, cookie.slice(0, 20));
  }
});

test('a session id in the URL is ignored', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const answer = await createVisitor(application).get(`/items/new?sid=${member.cookie('sid')}`);
  assert.equal(answer.status, 303);
});

test('two users are logged in at the same time, each with their own name', async (t) => {
  const application = await createTestApplication(t);
  const [ada, bo] = [await createMember(application, 'ada'), await createMember(application, 'bo')];
  assert.match(bodyText(await ada.get('/items')), /Logged in as<\/span> <strong>ada</);
  assert.match(bodyText(await bo.get('/items')), /Logged in as<\/span> <strong>bo</);
  await bo.post('/logout');
  assert.equal((await ada.get('/items/new')).status, 200);
  assert.equal((await bo.get('/items/new')).status, 303);
});
