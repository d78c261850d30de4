import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  setRole,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';

const TYPED = { name: 'Drill', description: '', quantity: '5', location: 'Office', tags: 'tools' };

async function openItem(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  await addItem(database, { ...TYPED, quantity: 5, tags: ['tools'] });
  const { history, items } = application.models;
  const member = await createMember(application);
  const edit = (fields: Partial<typeof TYPED>) =>
    member.submit('/items/1/edit', { ...TYPED, ...fields });
  return {
    application,
    member,
    history,
    items,
    edit,
    undo: (id: number, one = member) => one.post(`/items/1/history/${id}/undo`),
    count: (amount: number, button: 'take' | 'add') =>
      member.post('/items/1/quantity', { amount: String(amount), button }),
    find: async () => (await items.find(1)) ?? assert.fail('the item is gone'),
  };
}

test('a button in the history undoes one change, and later changes of other fields stay', async (t) => {
  const { member, edit, find } = await openItem(t);
  await edit({ location: 'Cellar', tags: 'lent out' });
  await edit({ name: 'Saw', location: 'Cellar', tags: 'lent out' });
  const page = bodyText(await member.get('/items/1/history'));
  const undo = formIn(page, '/items/1/history/1/undo');
  const answer = await member.post('/items/1/history/1/undo', hiddenFields(undo));
  assert.equal(headerOf(answer, 'Location'), '/items/1');
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /The change was undone\./);
  assert.match(shown, /<strong>ada<\/strong> undid a change/);
  const { name, location, tags } = await find();
  assert.deepEqual([name, location, tags], ['Saw', 'Office', ['tools']]);
  const later = bodyText(await member.get('/items/1/history'));
  assert.doesNotMatch(later, /history\/1\/undo/);
  assert.match(later, / · undone/);
});

test('a change whose field was changed again is not undone, and the page says by whom', async (t) => {
  const { application, edit, undo, find } = await openItem(t);
  await edit({ location: 'Cellar' });
  const bo = await createMember(application, 'bo');
  await bo.submit('/items/1/edit', { ...TYPED, location: 'Roof' });
  const refused = await undo(1);
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /<li>Location, by bo on <time/);
  assert.match(bodyText(refused), /<a href="\/items\/1\/edit">/);
  assert.equal((await find()).location, 'Roof');
});

test('undoing a change of the quantity adds or subtracts its difference, within the limits', async (t) => {
  const { count, undo, find } = await openItem(t);
  await count(3, 'take');
  await count(1, 'take');
  assert.equal((await undo(1)).status, 303);
  assert.equal((await find()).quantity, 4);
  await count(6, 'add');
  await count(10, 'take');
  const refused = await undo(4);
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /The quantity is now 0/);
});

testOnEngines('a change is undone once, whoever presses the button at the same time', async (t) => {
  const { application, count, undo, find } = await openItem(t);
  const bo = await createMember(application, 'bo');
  await count(3, 'take');
  const answers = await Promise.all([undo(1), undo(1, bo), undo(1), undo(1, bo)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409, 409, 409]);
  assert.equal((await find()).quantity, 5);
});

test('an undo can be undone, and so can a deletion and a restore', async (t) => {
  const { member, history, items, edit, undo, find } = await openItem(t);
  await edit({ name: 'Saw' });
  await undo(1);
  assert.equal((await find()).name, 'Drill');
  await undo(2);
  assert.equal((await find()).name, 'Saw');
  await member.post('/items/1/delete');
  assert.equal((await undo(3)).status, 409);
  assert.equal(headerOf(await undo(4), 'Location'), '/items/1');
  assert.equal((await find()).name, 'Saw');
  assert.equal(headerOf(await undo(5), 'Location'), '/items');
  assert.equal(await items.find(1), null);
  const { events } = await history.ofItem(1, 10);
  assert.deepEqual(
    events.map(({ kind, undoes }) => `${kind} ${undoes}`),
    ['deleted 5', 'restored 4', 'deleted null', 'changed 2', 'changed 1', 'changed null'],
  );
});

test('a change that does not exist, or of another item, is a 404', async (t) => {
  const { application, edit, undo, member } = await openItem(t);
  await edit({ name: 'Saw' });
  await addItem(application.database, { ...TYPED, quantity: 5, tags: [] });
  assert.equal((await undo(9)).status, 404);
  assert.equal((await member.post('/items/2/history/1/undo')).status, 404);
  assert.equal((await member.post('/items/7/history')).status, 404);
});

test('the history of the team has the changes of all items, newest first, in pages', async (t) => {
  const { application, member, count, edit } = await openItem(t);
  await addItem(application.database, { ...TYPED, name: 'Lamp', quantity: 5, tags: [] });
  await edit({ name: 'Saw' });
  await member.post('/items/2/delete');
  for (let index = 0; index < 60; index++) await count(1, 'add');
  const reader = await createMember(application, 'rea');
  await setRole(application, 'rea', 'reader');
  const first = bodyText(await reader.get('/items/history'));
  assert.equal(first.split('added 1').length - 1, 50);
  assert.doesNotMatch(first, /<form method="post"[^>]*history/);
  const next = /rel="next" href="([^"]*)"/.exec(first)?.[1] ?? '';
  const second = bodyText(await member.get(next));
  assert.equal(second.split('added 1').length - 1, 10);
  assert.match(second, /deleted <a href="\/items\/2">Lamp<\/a>[\s\S]*changed <a/);
  assert.doesNotMatch(second, /rel="next"/);
  const ofItem = bodyText(await member.get('/items/1/history?before=3'));
  assert.match(ofItem, /changed it/);
  assert.match(ofItem, /<p>Added <time/);
});

test('an unchanged item has no history on its page, a changed one its last five changes', async (t) => {
  const { member, count } = await openItem(t);
  assert.doesNotMatch(bodyText(await member.get('/items/1')), /history-heading/);
  for (let index = 0; index < 6; index++) await count(1, 'add');
  const page = bodyText(await member.get('/items/1'));
  assert.equal(page.split('added 1').length - 1, 5);
  assert.match(page, /<a href="\/items\/1\/history">All changes<\/a>/);
});
