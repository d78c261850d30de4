/** The redirect after a log-in, which never leaves the site. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, encodeFields } from 'seeother/testing';
import { createTestApplication, headerOf, PASSWORD } from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };

async function openLogIn(t: TestContext) {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  return async (body: string) => {
    const answer = await createVisitor(application).post('/login', `${encodeFields(ADA)}&${body}`);
    assert.equal(answer.status, 303, body);
    assert.equal(bodyText(answer), '', body);
    return headerOf(answer, 'Location');
  };
}

test('a log-in redirects to the requested path', async (t) => {
  const logIn = await openLogIn(t);
  const paths = [
    ['/items/new', '/items/new'],
    ['/items?page=2', '/items?page=2'],
    ['/', '/'],
    ['/items/7#comments', '/items/7'],
    ['/items/../items/7', '/items/7'],
    ['/ä', '/%C3%A4'],
    ['/loginfo', '/loginfo'],
    ['/x@evil.example', '/x@evil.example'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/items?next=//evil.example', '/items?next=//evil.example'],
  ] as const;
  for (const [next, location] of paths) {
    assert.equal(await logIn(encodeFields({ next })), location, next);
  }
});

test('a path on another site, or an invalid one, is replaced by the list', async (t) => {
  const logIn = await openLogIn(t);
  const targets = [
    '',
    'items',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: x=1',
    ' //evil.example',
    ' /items',
    'https:evil.example',
    'https://evil.example',
    'http://localhost/items',
    'javascript:alert(1)',
    'data:text/html,x',
    '/..//evil.example',
    '/x/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '//localhost@evil.example/',
    '/items\u2028',
    '/items\u0085',
    '"><script>alert(1)</script>',
  ];
  for (const next of targets) {
    assert.equal(await logIn(encodeFields({ next })), '/items', JSON.stringify(next));
  }
});

test('bytes that are not UTF-8 and a repeated path are ignored', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  for (const body of ['next=/%ff', 'next=/%00', 'next=/items&next=//evil.example']) {
    const answer = await visitor.post('/login', `${encodeFields(ADA)}&${body}`);
    assert.equal(answer.status, 400, body);
    assert.equal(headerOf(answer, 'Location'), undefined, body);
  }
});

test('a log-in never redirects to the log-in or the log-out', async (t) => {
  const logIn = await openLogIn(t);
  for (const next of ['/login', '/login?next=/login', '/logout', '/x/../logout']) {
    assert.equal(await logIn(encodeFields({ next })), '/items', next);
  }
});

test('the form of the log-in contains the requested path as text', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const next = '"><script>alert(1)</script>';
  const answer = await visitor.get(`/login?next=${encodeURIComponent(next)}`);
  assert.equal(answer.status, 200);
  assert.doesNotMatch(bodyText(answer), /<script>/);
  const failed = await visitor.submit('/login?next=%2Fitems%2Fnew', { username: 'ada' });
  assert.equal(failed.status, 400);
  assert.match(bodyText(failed), /name="next" value="\/items\/new"/);
});
