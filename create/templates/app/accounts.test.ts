import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { bodyText, createVisitor, get, hiddenFields } from 'seeother/testing';
import { findAccount, listItems } from './database.ts';
import { openTestSite } from './open-site.ts';
import { createRouter } from './router.ts';

const { database, router, logIn, close } = await openTestSite();
const ada = { username: 'Ada', password: 'correct horse battery' };

after(close);

test('after the registration the visitor is logged in, and the password is hashed', async () => {
  const visitor = createVisitor(router);
  const answer = await visitor.submit('/register', ada);
  assert.match(bodyText(await visitor.follow(answer)), /ada <button>Log out/);
  const account = await findAccount(database.read, 'ada');
  assert.match(account?.password_hash ?? '', /^19456\$2\$/);
});

test('a registration that is sent twice makes one account', async () => {
  const visitor = createVisitor(router);
  const form = { username: 'bo', password: 'correct horse battery' };
  const answers = [await visitor.post('/register', form), await visitor.post('/register', form)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
});

test('a username that is taken is refused', async () => {
  const form = { username: 'ADA', password: 'another long password' };
  const answer = await createVisitor(router).submit('/register', form);
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /This username is taken/);
});

test('the log-in leads to the page that was asked for', async () => {
  const visitor = createVisitor(router);
  const asked = await visitor.get('/items/new');
  assert.equal(asked.headers['Location'], '/login?next=%2Fitems%2Fnew');
  const answer = await visitor.submit('/login?next=%2Fitems%2Fnew', ada);
  assert.equal(answer.headers['Location'], '/items/new');
});

test('the log-in never leads to another site', async () => {
  const answer = await createVisitor(router).submit('/login?next=//evil.example', ada);
  assert.equal(answer.headers['Location'], '/');
});

test('a wrong password and an unknown name get the same answer', async () => {
  const visitor = createVisitor(router);
  const wrong = await visitor.submit('/login', { ...ada, password: 'wrong' });
  const unknown = await visitor.submit('/login', { username: 'nobody', password: 'wrong' });
  assert.equal(wrong.status, 400);
  for (const answer of [wrong, unknown])
    assert.match(bodyText(answer), /Username or password is incorrect/);
});

test('after the log-out a form is refused, and nothing is saved', async () => {
  const visitor = await logIn('cy');
  const form = hiddenFields(bodyText(await visitor.get('/items/new')));
  await visitor.post('/logout');
  const answer = await visitor.post('/items/new', { ...form, name: 'Lamp', quantity: '1' });
  assert.equal(answer.status, 401);
  assert.match(bodyText(answer), /Lamp/);
  assert.deepEqual(await listItems(database.read, 'Lamp', 1), []);
});

test('in production only the public origin is served, with secure cookies', async () => {
  const site = createRouter(database, { log: false, publicOrigin: 'https://items.example' });
  const foreign = await site.handle(get('/', { headers: { host: 'evil.example' } }));
  assert.equal(foreign.status, 421);
  const init = { headers: { host: 'items.example' }, scheme: 'https' } as const;
  const answer = await createVisitor(site, init).submit('/login', ada);
  assert.match(String(answer.headers['Set-Cookie']), /^__Host-sid=.*; Secure/);
});

test('a health check asks the database, by any address', async () => {
  const site = createRouter(database, { log: false, publicOrigin: 'https://items.example' });
  const answer = await site.handle(get('/healthz', { headers: { host: '127.0.0.1:8000' } }));
  assert.equal(bodyText(answer), 'ok\n');
});
