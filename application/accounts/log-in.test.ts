import assert from 'node:assert/strict';
import test from 'node:test';
import { QueueFull } from 'seeother/middleware';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const ADA = { username: 'ada', password: PASSWORD };

test('the log-in form is public and sets no cookie', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const answer = await visitor.get('/login');
  assert.equal(answer.status, 200);
  assert.match(bodyText(answer), /<form class="form" method="post" action="\/login"/);
  assert.equal(headerOf(answer, 'Set-Cookie'), undefined);
});

test('the log-in form redirects a logged-in user', async (t) => {
  const member = await createMember(await createTestApplication(t));
  const targets = [
    ['/login', '/items'],
    ['/login?next=/items/new', '/items/new'],
    ['/login?next=//evil.example', '/items'],
    ['/login?next=/login', '/items'],
  ] as const;
  for (const [path, location] of targets) {
    const answer = await member.get(path);
    assert.equal(answer.status, 303, path);
    assert.equal(headerOf(answer, 'Location'), location, path);
  }
});

test('a correct name and password get a 303 to the list and a session', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const visitor = createVisitor(application);
  const answer = await visitor.submit('/login', { ...ADA, username: ' ADA ' });
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items');
  const shown = await visitor.follow(answer);
  assert.match(bodyText(shown), /Logged in as<\/span> <strong>ada<\/strong>/);
});

test('a pasted username, and a password in another form of Unicode, are those of the account', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  const password = 'Brücke über die Elbe';
  const registered = { username: '\u202abo\u202c\u200b', password, passwordagain: password };
  assert.equal((await visitor.submit('/register', registered)).status, 400, 'too short');
  const ada = { username: '\u202aada\u202c\u200b', password, passwordagain: password };
  assert.equal((await visitor.submit('/register', ada)).status, 303);
  for (const username of ['ada', 'ada\u200b', '\u2066ada\u2069', '\ufeffada\u200e']) {
    const typed = { username, password: password.normalize('NFD') };
    const answer = await createVisitor(application).submit('/login', typed);
    assert.equal(answer.status, 303, JSON.stringify(username));
  }
});

test('a wrong password is a 401 with a challenge and the form again', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const answer = await createVisitor(application).submit('/login', {
    ...ADA,
    password: 'wrong horse',
  });
  const markup = bodyText(answer);
  assert.equal(answer.status, 401);
  assert.match(headerOf(answer, 'WWW-Authenticate') ?? '', /^Cookie realm="/);
  assert.match(markup, /Username or password is incorrect/);
  assert.match(markup, /id="username" name="username" value="ada"/);
  assert.equal(headerOf(answer, 'Set-Cookie'), undefined);
});

test('a missing field is a 400 with the form again', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const answer = await visitor.submit('/login', { username: 'ada', password: '' });
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /<a href="#password">Enter a password<\/a>/);
  assert.match(bodyText(answer), /id="username" name="username" value="ada"/);
  const empty = await visitor.submit('/login', {});
  assert.equal(empty.status, 400);
  assert.match(bodyText(empty), /<a href="#username">Enter a username<\/a>/);
});

test('after ten failed attempts the next is a 429 with Retry-After, and no typed text', async (t) => {
  const application = await createTestApplication(t);
  await application.models.accounts.register(ADA, false);
  const visitor = createVisitor(application);
  for (let count = 0; count < 10; count++) {
    const answer = await visitor.submit('/login', { ...ADA, password: `guess ${count}` });
    assert.equal(answer.status, 401);
  }
  for (const password of ['guess 11', PASSWORD]) {
    const answer = await visitor.submit('/login', { ...ADA, password });
    assert.equal(answer.status, 429);
    const seconds = Number(headerOf(answer, 'Retry-After'));
    assert.ok(seconds > 0 && seconds <= 180, `Retry-After is ${seconds}`);
    assert.match(bodyText(answer), /Wait a little, then try again\./);
    assert.match(bodyText(answer), /You can try again in 3 minutes\./);
    assert.doesNotMatch(bodyText(answer), /guess|value="ada"|What you typed/);
  }
});

test('twenty users behind one address can log in concurrently', async (t) => {
  const application = await createTestApplication(t);
  const people = Array.from({ length: 20 }, (_, index) => ({ ...ADA, username: `user-${index}` }));
  for (const one of people) await application.models.accounts.register(one, false);
  const answers = await Promise.all(
    people.map((one) => createVisitor(application).post('/login', one)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(20).fill(303),
  );
});

for (const [path, name] of [
  ['/login', 'authenticate'],
  ['/register', 'register'],
] as const)
  test(`too many forms to ${path} at once are a 503 with Retry-After`, async (t) => {
    const application = await createTestApplication(t, {
      replace: ({ accounts }) => ({
        accounts: { ...accounts, [name]: () => Promise.reject(new QueueFull('full')) },
      }),
    });
    const answer = await createVisitor(application).submit(path, ADA);
    assert.equal(answer.status, 503);
    assert.equal(headerOf(answer, 'Retry-After'), '5');
    assert.match(bodyText(answer), /Too many people are logging in right now\./);
  });

test('a log-out without a session redirects to the log-in too', async (t) => {
  const answer = await createVisitor(await createTestApplication(t)).post('/logout');
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/login');
});

test('an attempt that could not be checked does not count as failed', async (t) => {
  let isBusy = true;
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        authenticate: (credentials) =>
          isBusy ? Promise.reject(new QueueFull('full')) : accounts.authenticate(credentials),
      },
    }),
  });
  await application.models.accounts.register(ADA, false);
  const visitor = createVisitor(application);
  for (let count = 0; count < 12; count++)
    assert.equal((await visitor.post('/login', ADA)).status, 503);
  isBusy = false;
  assert.equal((await visitor.post('/login', ADA)).status, 303);
});
