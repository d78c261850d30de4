import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { bodyText, createVisitor, get, hiddenFields } from 'seeother/testing';
import { addItem, findItem, listItems, migrate } from './database.ts';
import { ROUTES } from './links.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const database = await openTestDatabase(migrate);
const router = createRouter(database, { log: false });
const visitor = createVisitor(router);
const password = 'correct horse battery';
const ada = { username: 'Ada', password };
await visitor.submit('/register', { ...ada, passwordagain: password });
const add = (name: string, place = '') =>
  database.write((transaction) => addItem(transaction, { name, quantity: 1, place }));
const find = (number: number) => findItem(database.read, number);

after(() => database.close());

test('the list shows the items, and escapes their text', async () => {
  await add('Ladder <b>');
  assert.match(bodyText(await visitor.get('/')), /Ladder &lt;b&gt;/);
});

test('a form that is sent twice adds one item, and the message is shown once', async () => {
  const form = hiddenFields(bodyText(await visitor.get('/items/new')));
  const send = () => visitor.post('/items/new', { ...form, name: 'Drill', quantity: '2' });
  const [first, second] = await Promise.all([send(), send()]);
  assert.equal(first.status, 303);
  assert.equal(second.headers['Location'], first.headers['Location']);
  assert.equal((await listItems(database.read, 'Drill', { limit: 9, offset: 0 })).length, 1);
  assert.match(bodyText(await visitor.follow(first)), /The item was added\./);
  assert.doesNotMatch(bodyText(await visitor.follow(first)), /The item was added\./);
});

test('a form that is not valid is shown again with what was typed', async () => {
  const answer = await visitor.submit('/items/new', { name: '', quantity: '2', place: 'Shed' });
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /Enter a name[\s\S]*value="Shed"/);
});

test('an item has its own page', async () => {
  const number = await add('Saw', 'Cellar');
  const body = bodyText(await visitor.get(`/items/${number}`));
  assert.match(body, /<h1>Saw<\/h1>[\s\S]*Cellar/);
});

test('an item that does not exist, and an unknown address, are 404', async () => {
  const none = await visitor.get('/items/999999');
  assert.equal(none.status, 404);
  assert.match(bodyText(none), /There is no item 999999\./);
  assert.equal((await visitor.get('/itmes')).status, 404);
});

test('every link leads to a route', () => {
  const served: readonly string[] = router.routes.map(({ name }) => name);
  assert.deepEqual(
    ROUTES.filter((route) => !served.includes(route)),
    [],
  );
});

test('a registration that is sent twice makes one account, which is logged in', async () => {
  const other = createVisitor(router);
  const form = { username: 'Grace', password, passwordagain: password };
  const send = () => other.post('/register', form);
  for (const { status } of await Promise.all([send(), send()])) assert.equal(status, 303);
  assert.match(bodyText(await other.get('/')), />Grace<[\s\S]*Log out/);
});

test('the first account is that of the administrator, who sees the people; others do not', async () => {
  assert.match(bodyText(await visitor.get('/')), /href="\/people"/);
  assert.match(bodyText(await visitor.get('/people')), /Grace/);
  const grace = createVisitor(router);
  await grace.submit('/login', { username: 'Grace', password });
  assert.doesNotMatch(bodyText(await grace.get('/')), /href="\/people"/);
  assert.equal((await grace.get('/people')).status, 403);
});

test('the log-in leads to the page that was asked for', async () => {
  const other = createVisitor(router);
  const asked = await other.get('/items/new');
  assert.equal(asked.headers['Location'], '/login?next=%2Fitems%2Fnew');
  const answer = await other.submit('/login?next=%2Fitems%2Fnew', ada);
  assert.equal(answer.headers['Location'], '/items/new');
});

test('an item is changed', async () => {
  const number = await add('Hammer');
  const answer = await visitor.submit(`/items/${number}/edit`, { name: 'Mallet', quantity: '3' });
  assert.match(bodyText(await visitor.follow(answer)), /The item was changed\./);
  assert.deepEqual(await find(number), {
    number,
    name: 'Mallet',
    quantity: 3,
    place: '',
    version: 2,
  });
});

test('of two changes that begin with the same page, the second is refused', async () => {
  const number = await add('Rope');
  const path = `/items/${number}/edit`;
  const form = hiddenFields(bodyText(await visitor.get(path)));
  await visitor.submit(path, { name: 'Long rope', quantity: '1' });
  const late = await visitor.post(path, { ...form, name: 'Short rope', quantity: '1' });
  assert.equal(late.status, 409);
  assert.match(bodyText(late), /Nothing was saved[\s\S]*value="Short rope"[\s\S]*stored now/);
  assert.equal((await find(number))?.name, 'Long rope');
});

test('an item is deleted after a question, and a second click leads to the same page', async () => {
  const number = await add('Old paint');
  const path = `/items/${number}/delete`;
  const form = hiddenFields(bodyText(await visitor.get(path)));
  assert.notEqual(await find(number), null);
  const answers = [await visitor.post(path, form), await visitor.post(path, form)];
  assert.deepEqual(
    answers.map(({ headers }) => headers['Location']),
    ['/', '/'],
  );
  assert.equal(await find(number), null);
});

test('a search finds names and places, and takes % and _ as they are', async () => {
  await add('Glue', 'Drawer 100%_a');
  const searchFor = async (text: string) =>
    bodyText(await visitor.get(`/?q=${encodeURIComponent(text)}`));
  assert.match(await searchFor('glu'), />Glue</);
  assert.match(await searchFor('100%_'), />Glue</);
  assert.doesNotMatch(await searchFor('1_0'), />Glue</);
});

test('a long list has pages', async () => {
  for (let count = 0; count <= 20; count++) await add(`Screw ${count}`);
  const first = bodyText(await visitor.get('/?q=screw'));
  assert.match(first, /Screw 20<[\s\S]*href="\/\?q=screw&amp;page=2"/);
  assert.match(bodyText(await visitor.get('/?q=screw&page=2')), /Screw 0<[\s\S]*>Previous</);
});

test('a username that is taken is refused', async () => {
  const other = 'another long password';
  const form = { username: 'ADA', password: other, passwordagain: other };
  const answer = await createVisitor(router).submit('/register', form);
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /Username is taken/);
});

test('a wrong password and an unknown name get the same answer', async () => {
  const other = createVisitor(router);
  const wrong = await other.submit('/login', { ...ada, password: 'wrong' });
  const unknown = await other.submit('/login', { username: 'nobody', password: 'wrong' });
  for (const answer of [wrong, unknown]) {
    assert.equal(answer.status, 401);
    assert.match(bodyText(answer), /Username or password is incorrect/);
  }
});

test('the log-in never leads to another site', async () => {
  const answer = await createVisitor(router).submit('/login?next=//evil.example', ada);
  assert.equal(answer.headers['Location'], '/');
});

test('a form that is sent after the log-out comes back filled after a log-in, and counts once', async () => {
  const other = createVisitor(router);
  await other.submit('/login', ada);
  const form = hiddenFields(bodyText(await other.get('/items/new')));
  await other.post('/logout');
  const typed = { name: 'Lamp', quantity: '1' };
  const refused = await other.post('/items/new', { ...form, ...typed });
  assert.equal(refused.status, 401);
  const [, logIn = ''] = /href="(\/login\?next=[^"]*_draft[^"]*)"/.exec(bodyText(refused)) ?? [];
  const filled = bodyText(await other.follow(await other.submit(logIn, ada)));
  assert.match(filled, /value="Lamp"/);
  const list = () => listItems(database.read, 'Lamp', { limit: 9, offset: 0 });
  assert.deepEqual(await list(), []);
  for (let count = 0; count < 2; count++)
    await other.post('/items/new', { ...hiddenFields(filled), ...typed });
  assert.equal((await list()).length, 1);
});

test('in production only the public origin is served, with secure cookies', async () => {
  const site = createRouter(database, { log: false, publicOrigin: 'https://items.example' });
  const foreign = await site.handle(get('/', { headers: { host: 'evil.example' } }));
  assert.equal(foreign.status, 421);
  const init = { headers: { host: 'items.example' }, scheme: 'https' } as const;
  const answer = await createVisitor(site, init).submit('/login', ada);
  assert.match(String(answer.headers['Set-Cookie']), /__Host-sid=[^,]*; Secure/);
});

test('a health check asks the database, by any address', async () => {
  const site = createRouter(database, { log: false, publicOrigin: 'https://items.example' });
  const answer = await site.handle(get('/healthz', { headers: { host: '127.0.0.1:8000' } }));
  assert.equal(bodyText(answer), 'ok\n');
});
