import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const TYPED = { name: 'Drill', description: 'Two <b>batteries</b>', quantity: '2' };
const REFERER = { headers: { referer: 'http://localhost/items/new?from=list' } };

test('a protected page without a session redirects to the log-in, and the log-in back to it', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const visitor = createVisitor(application);
  const answer = await visitor.get('/items/new?from=list');
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/login?next=%2Fitems%2Fnew%3Ffrom%3Dlist');
  const logIn = { username: 'ada', password: PASSWORD };
  const back = await visitor.submit(headerOf(answer, 'Location') ?? '', logIn);
  assert.equal(headerOf(back, 'Location'), '/items/new?from=list');
  assert.equal((await visitor.follow(back)).status, 200);
});

test('a form without a session is a 401 page with the log-in form and the typed text', async (t) => {
  const application = await createTestApplication(t);
  const answer = await createVisitor(application).post('/items', TYPED, REFERER);
  const markup = bodyText(answer);
  assert.equal(answer.status, 401);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/html; charset=utf-8');
  assert.match(headerOf(answer, 'WWW-Authenticate') ?? '', /^Cookie realm="/);
  assert.match(markup, /<form method="post" action="\/login"/);
  assert.match(markup, /<dt>Name<\/dt><dd>Drill<\/dd>/);
  assert.match(markup, /<dt>Description<\/dt><dd>Two &lt;b&gt;batteries&lt;\/b&gt;<\/dd>/);
  assert.match(markup, /<dt>Quantity<\/dt><dd>2<\/dd>/);
  assert.equal(headerOf(answer, 'Set-Cookie'), undefined);
  assert.equal((await application.models.items.list(1)).itemCount, 0);
});

test('the log-in form of a 401 page redirects to the page with the form', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const visitor = createVisitor(application);
  const refused = await visitor.post('/items', TYPED, REFERER);
  const hidden = hiddenFields(bodyText(refused));
  const answer = await visitor.post('/login', { ...hidden, username: 'ada', password: PASSWORD });
  assert.equal(headerOf(answer, 'Location'), '/items/new');
});

test('after a form of the account without a session, the log-in redirects to its page', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const visitor = createVisitor(application);
  const hidden = hiddenFields(bodyText(await visitor.post('/account/password')));
  const answer = await visitor.post('/login', { ...hidden, username: 'ada', password: PASSWORD });
  assert.equal(headerOf(answer, 'Location'), '/account/password');
  assert.equal((await visitor.follow(answer)).status, 200);
});
