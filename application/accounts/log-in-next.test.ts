/** The redirect after a log-in, which never leaves the site. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createVisitor } from 'seeother/testing';
import {
  createTestApplication,
  headerOf,
  PASSWORD,
  register,
} from '../testing/create-test-application.ts';

test('a log-in redirects to the requested page, by default to the list', async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
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
    ...['', '/login?next=/login', '/x/../logout', '//evil.example'].map((next) => [next, '/items']),
  ] as const;
  for (const [next = '', location] of paths) {
    const fields = { username: 'ada', password: PASSWORD, next };
    const answer = await createVisitor(application).post('/login', fields);
    assert.equal(answer.status, 303, next);
    assert.equal(headerOf(answer, 'Location'), location, next);
  }
});
