import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { addItem, findItem, listItems, PAGE_LENGTH } from './database.ts';
import { ROUTES } from './links.ts';
import { openTestSite } from './open-site.ts';

const { database, router, logIn, close } = await openTestSite();
const ada = await logIn('ada');
const add = (name: string, place = '') =>
  database.write((transaction) => addItem(transaction, { name, quantity: 1, place }));
const find = (number: number) => findItem(database.read, number);

after(close);

test('the list shows the items, and escapes their text', async () => {
  await add('Ladder <b>');
  const body = bodyText(await createVisitor(router).get('/'));
  assert.match(body, /Ladder &lt;b&gt;/);
});

test('a form that is sent twice adds one item, and the message is shown once', async () => {
  const form = hiddenFields(bodyText(await ada.get('/items/new')));
  const send = () => ada.post('/items/new', { ...form, name: 'Drill', quantity: '2' });
  const [first, second] = await Promise.all([send(), send()]);
  assert.equal(first.status, 303);
  assert.equal(second.headers['Location'], first.headers['Location']);
  assert.equal((await listItems(database.read, 'Drill', 1)).length, 1);
  assert.match(bodyText(await ada.follow(first)), /The item was added\./);
  assert.doesNotMatch(bodyText(await ada.follow(first)), /The item was added\./);
});

test('a form that is not valid is shown again with what was typed', async () => {
  const answer = await ada.submit('/items/new', { name: '', quantity: '2', place: 'Shed' });
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /Enter a name[\s\S]*value="Shed"/);
});

test('an item has its own page', async () => {
  const number = await add('Saw', 'Cellar');
  assert.match(bodyText(await ada.get(`/items/${number}`)), /<h1>Saw<\/h1>[\s\S]*Cellar/);
});

test('an item that does not exist, and an unknown address, are 404', async () => {
  const none = await ada.get('/items/999999');
  assert.equal(none.status, 404);
  assert.match(bodyText(none), /There is no item 999999\./);
  assert.equal((await ada.get('/itmes')).status, 404);
});

test('every link leads to a route', () => {
  const served: readonly string[] = router.routes.map(({ name }) => name);
  assert.deepEqual(served.toSorted(), ROUTES.toSorted());
});

test('an item is changed', async () => {
  const number = await add('Hammer');
  const answer = await ada.submit(`/items/${number}/edit`, { name: 'Mallet', quantity: '3' });
  assert.match(bodyText(await ada.follow(answer)), /The item was changed\./);
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
  const form = hiddenFields(bodyText(await ada.get(path)));
  await ada.submit(path, { name: 'Long rope', quantity: '1' });
  const late = await ada.post(path, { ...form, name: 'Short rope', quantity: '1' });
  assert.equal(late.status, 409);
  assert.match(bodyText(late), /Nothing was saved[\s\S]*value="Short rope"[\s\S]*stored now/);
  assert.equal((await find(number))?.name, 'Long rope');
});

test('an item is deleted after a question, and a second click leads to the same page', async () => {
  const number = await add('Old paint');
  const path = `/items/${number}/delete`;
  const form = hiddenFields(bodyText(await ada.get(path)));
  assert.notEqual(await find(number), null);
  const answers = [await ada.post(path, form), await ada.post(path, form)];
  assert.deepEqual(
    answers.map(({ headers }) => headers['Location']),
    ['/', '/'],
  );
  assert.equal(await find(number), null);
});

test('a search finds names and places, and takes % and _ as they are', async () => {
  await add('Glue', 'Drawer 100%_a');
  const searchFor = async (text: string) =>
    bodyText(await ada.get(`/?q=${encodeURIComponent(text)}`));
  assert.match(await searchFor('glu'), />Glue</);
  assert.match(await searchFor('100%_'), />Glue</);
  assert.doesNotMatch(await searchFor('1_0'), />Glue</);
});

test('a long list has pages', async () => {
  for (let count = 0; count <= PAGE_LENGTH; count++) await add(`Screw ${count}`);
  const first = bodyText(await ada.get('/?q=screw'));
  assert.match(first, /Screw 20<[\s\S]*href="\/\?q=screw&amp;page=2"/);
  assert.match(bodyText(await ada.get('/?q=screw&page=2')), /Screw 0<[\s\S]*Previous page/);
});
