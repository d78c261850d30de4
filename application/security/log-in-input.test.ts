/** Rows P6 to P9 of docs/hostile.md: the input of log-in and registration, and their redirects. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  register,
} from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };

test('P6: a password has 8 to 1,000 characters, may be in any form of Unicode, and is not a common one', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  const register = (username: string, password: string) =>
    createVisitor(application).post('/register', { username, password });
  const logIn = async (username: string, password: string) =>
    (await createVisitor(application).post('/login', { username, password })).status;

  const composed = 'caf\u00e9 au lait';
  const accepted = {
    long: 'x'.repeat(64),
    longest: 'y'.repeat(1_000),
    spaces: 'with space ',
    blank: ' '.repeat(8),
    tools: '🔧'.repeat(8),
    composed,
  };
  for (const [username, password] of Object.entries(accepted)) {
    assert.equal((await register(username, password)).status, 303, username);
    assert.equal(await logIn(username, password), 303, username);
  }
  assert.equal(await logIn('spaces', 'with space'), 401);
  assert.equal(await logIn('composed', composed.normalize('NFD')), 303);
  assert.equal(await logIn('composed', 'cafe au lait'), 401);
  assert.equal(await logIn('long', 'x'.repeat(63)), 401);

  const refused = [
    '7-chars',
    'x'.repeat(1_001),
    'é'.repeat(7),
    'with\0nul in it',
    'password1',
    'Ada.Lovelace',
    'x'.repeat(900_000),
  ];
  for (const password of refused)
    assert.equal((await register('ada.lovelace', password)).status, 400, password.slice(0, 20));
  assert.equal((await register('ada.lovelace', 'x'.repeat(1_048_576))).status, 413);
  assert.equal(
    (await visitor.post('/login', { ...ADA, password: 'x'.repeat(900_000) })).status,
    400,
  );

  const form = bodyText(await visitor.get('/register'));
  assert.match(form, /autocomplete="new-password"/);
  assert.doesNotMatch(form, /maxlength|onpaste|pattern=/);
});

const ELSEWHERE = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%09/evil.example',
  '/\t/evil.example',
  'https:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/..//evil.example',
  '/x/..//evil.example',
  '/items\r\nSet-Cookie: sid=planted',
  '/items\nLocation: //evil.example',
  'x@evil.example',
];

test('P7: a log-in never redirects to another site', async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
  for (const next of [...ELSEWHERE, '/x@evil.example', '/items/new?q=//evil.example']) {
    const answer = await createVisitor(application).post('/login', { ...ADA, next });
    assert.equal(answer.status, 303, next);
    const location = headerOf(answer, 'Location') ?? '';
    const { origin } = new URL(location, 'http://localhost');
    assert.equal(origin, 'http://localhost', next);
    // Other values are rewritten as a path on this site.
    const isPath = next === '/%09/evil.example' || next.startsWith('/x@') || next.includes('?q=');
    if (!isPath) assert.equal(location, '/items', JSON.stringify(next));
    assert.doesNotMatch(location, /[\s\\]|^\/\//);
    assert.equal(JSON.stringify(answer.headers).includes('planted'), false);
  }
});

test('P8: a redirect does not repeat its target in a body', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const next = '/items?"><script>alert(1)</script>';
  const answers = [
    await member.post('/login', { ...ADA, next }),
    await createVisitor(application).get(`/items/new?${encodeURIComponent(next)}`),
    await member.post('/logout', { next }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 303);
    assert.equal(bodyText(answer), '');
    assert.doesNotMatch(headerOf(answer, 'Location') ?? '', /[<>"]/);
  }
});

test('P9: log-ins and failures are logged without the password, and names have a maximum length', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const secrets = { wrong: 'hunter2-wrong', right: 'hunter2-right' };
  await member.post('/account/password', { currentpassword: PASSWORD, newpassword: secrets.right });
  const visitor = createVisitor(application);
  const answers = [
    await visitor.post('/login', { username: 'ada', password: secrets.wrong }),
    await visitor.post('/login', { username: 'ada', password: secrets.right }),
    await visitor.post('/login', { username: secrets.wrong.repeat(400), password: secrets.wrong }),
    await visitor.post('/account/password', { currentpassword: secrets.wrong, newpassword: 'x' }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 303, 400, 400],
  );
  const lines = application.log.filter((line) => line.includes('[POST] /login '));
  assert.deepEqual(
    lines.map((line) => line.slice(-4)),
    [' 303', ' 401', ' 303', ' 400'],
  );
  const written = JSON.stringify([application.log, application.reports]);
  assert.equal(written.includes('hunter2'), false);
  const stored = await application.database.read.selectFrom('failed_log_ins').selectAll().execute();
  assert.equal(JSON.stringify(stored).includes('hunter2'), false);
});
