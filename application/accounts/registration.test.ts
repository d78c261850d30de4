import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };

test('anyone can register the first account: a 303 and a session', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  const form = await visitor.get('/register');
  assert.equal(form.status, 200);
  assert.match(bodyText(form), /<h1>Create the first account<\/h1>/);
  const answer = await visitor.submit('/register', ADA);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items');
  assert.match(
    bodyText(await visitor.follow(answer)),
    /Logged in as<\/span> <strong>ada<\/strong>/,
  );
  assert.equal((await visitor.get('/items/new')).status, 200);
});

test('after the first account, registration is closed: a 403 page with advice', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const visitor = createVisitor(application);
  const answers = [
    await visitor.get('/register'),
    await visitor.post('/register', { username: 'bob', password: PASSWORD }),
    await visitor.post('/register', { username: '', password: '' }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 403);
    assert.match(bodyText(answer), /You need an invitation to register here/);
    assert.match(bodyText(answer), /Ask an administrator for one\./);
  }
  const login = await visitor.post('/login', { username: 'bob', password: PASSWORD });
  assert.equal(login.status, 401);
});

test('with REGISTRATION=open anyone can register at any time', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  await createMember(application);
  const visitor = createVisitor(application);
  assert.match(bodyText(await visitor.get('/login')), /href="\/register">Create an account</);
  assert.match(bodyText(await visitor.get('/register')), /<h1>Create an account<\/h1>/);
  const answer = await visitor.submit('/register', { username: 'bob', password: PASSWORD });
  assert.equal(answer.status, 303);
  assert.match(
    bodyText(await visitor.follow(answer)),
    /Logged in as<\/span> <strong>bob<\/strong>/,
  );
});

test('with REGISTRATION=invite the first account needs an invitation too', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'invite' } });
  const visitor = createVisitor(application);
  assert.equal((await visitor.get('/register')).status, 403);
  assert.equal((await visitor.post('/register', ADA)).status, 403);
  assert.equal(await application.models.people.isEmpty(), true);
});

test('a username has 3 to 40 plain characters', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  const bad = ['', 'ab', 'x'.repeat(41), 'a b c', 'ada@here', 'ädä', 'аda', 'a/b/c'];
  for (const username of bad) {
    const answer = await visitor.post('/register', { username, password: PASSWORD });
    assert.equal(answer.status, 400, username);
    assert.match(bodyText(answer), /<a href="#username">/, username);
  }
  for (const username of ['abc', 'a.b-c_9', 'x'.repeat(40)]) {
    // Whoever is logged in is asked to log out first.
    const answer = await createVisitor(application).post('/register', {
      ...{ username, password: PASSWORD },
    });
    assert.equal(answer.status, 303, username);
  }
});

test('a registration redirects to the requested page, never to another site', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  const first = await visitor.submit('/register?next=%2Fitems%2Fnew', ADA);
  assert.equal(headerOf(first, 'Location'), '/items/new');
  const bob = { username: 'bob', password: PASSWORD, next: '//evil.example' };
  const other = createVisitor(application);
  assert.equal(headerOf(await other.submit('/register', bob), 'Location'), '/items');
});

test('the names of the site and of the project are no passwords', async (t) => {
  const environment = { REGISTRATION: 'open', SITE_NAME: 'Workshop East' };
  const visitor = createVisitor(await createTestApplication(t, { environment }));
  for (const password of ['Seeother', 'see other', 'see-other', 'workshop east']) {
    const answer = await visitor.post('/register', { username: 'ada', password });
    assert.equal(answer.status, 400, password);
    assert.match(bodyText(answer), /<a href="#password">/, password);
  }
});
