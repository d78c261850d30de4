import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type TypedFields } from 'seeother/testing';
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
  assert.doesNotMatch(bodyText(form), /I have an account/);
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
    assert.match(bodyText(answer), /New accounts need an invitation/);
    assert.match(bodyText(answer), /Ask an administrator here, .* for an invitation\./);
  }
  const login = await visitor.post('/login', { username: 'bob', password: PASSWORD });
  assert.equal(login.status, 401);
});

test('with REGISTRATION=open anyone can register at any time', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  await createMember(application);
  const visitor = createVisitor(application);
  assert.match(bodyText(await visitor.get('/login')), /href="\/register">Create one</);
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
  assert.equal(await application.models.accounts.isEmpty(), true);
});

test('a refused registration says all its errors at once', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  await createMember(application);
  const visitor = createVisitor(application);
  const errorsOf = async (fields: TypedFields) => {
    const answer = await visitor.submit('/register', fields);
    assert.equal(answer.status, 400);
    return [...bodyText(answer).matchAll(/<li><a href="#(\w+)">([^<]*)</g)].map(
      ([, field, words = '']) => `${field}: ${words.slice(0, 20)}`,
    );
  };
  const easy = 'password: Choose a password th';
  const slip = 'passwordagain: The two passwords ar';
  const taken = 'username: Username is taken; c';
  const typed = { username: 'ADA', password: 'password', passwordagain: 'passwort' };
  assert.deepEqual(await errorsOf(typed), [taken, easy, slip]);
  assert.deepEqual(await errorsOf({ ...typed, username: '' }), [
    'username: Enter a username',
    easy,
    slip,
  ]);
  assert.deepEqual(await errorsOf({ username: 'ada', password: '' }), [
    taken,
    'password: Enter a password',
  ]);
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
    const answer = await visitor.post('/register', { username, password: PASSWORD });
    assert.equal(answer.status, 303, username);
  }
});

test('a registration redirects to the requested page, never to another site', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  const first = await visitor.submit('/register?next=%2Fitems%2Fnew', ADA);
  assert.equal(headerOf(first, 'Location'), '/items/new');
  const bob = { username: 'bob', password: PASSWORD, next: '//evil.example' };
  assert.equal(headerOf(await visitor.submit('/register', bob), 'Location'), '/items');
});

test('a registration that is sent twice logs in to its account both times', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  const answers = await Promise.all([
    visitor.post('/register', { username: 'ada', password: PASSWORD }),
    visitor.post('/register', { username: 'ada', password: PASSWORD }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  const later = await visitor.post('/register', { username: 'ada', password: PASSWORD });
  assert.equal(later.status, 303);
  const wrong = await visitor.post('/register', { username: 'ada', password: 'another one' });
  assert.equal(wrong.status, 403);
});

test('the registration cannot bypass the throttle of log-ins', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const visitor = createVisitor(application);
  await visitor.post('/register', { username: 'ada', password: PASSWORD });
  const stranger = createVisitor(application);
  const guess = () => stranger.post('/register', { username: 'ada', password: 'a wrong guess' });
  for (let count = 0; count < 10; count++) assert.equal((await guess()).status, 400);
  assert.equal((await guess()).status, 429);
});
