import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';

test('the list without accounts says how to make the first one, and who can read', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  const answer = await visitor.get('/items');
  assert.match(bodyText(answer), /<a href="\/register">create the first account<\/a>/);
  assert.match(bodyText(answer), /Everybody who can open this site can read the items/);
  const tag = headerOf(answer, 'ETag') ?? '';
  await createMember(application);
  const later = await visitor.get('/items', { headers: { 'if-none-match': tag } });
  assert.equal(later.status, 200);
  assert.doesNotMatch(bodyText(later), /first account/);
});

test('where the first account needs an invitation, the list says how to get one', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'invite' } });
  const shown = bodyText(await createVisitor(application).get('/items'));
  assert.match(shown, /run <code>npm run account -- invite<\/code>/);
  assert.doesNotMatch(shown, /href="\/register"/);
});

test('with READERS=members the log-in and the registration say so', async (t) => {
  const application = await createTestApplication(t, { environment: { READERS: 'members' } });
  const visitor = createVisitor(application);
  const first = await visitor.follow(await visitor.get('/items'));
  assert.match(bodyText(first), /Only people with an account can read the items\./);
  assert.match(bodyText(first), /<a href="\/register\?next=[^"]*">Create the first account</);
  assert.match(bodyText(await visitor.get('/register')), /Only people with an account can read/);
});
