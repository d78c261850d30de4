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
