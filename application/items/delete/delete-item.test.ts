import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { removeExpired } from '../../maintenance/remove-expired.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';

const THING = {
  name: 'Thing',
  description: 'old',
  quantity: 2,
  location: 'Cellar',
  tags: ['worn'],
};

async function openItems(t: TestContext, count = 3) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (let number = 1; number <= count; number++)
    await addItem(database, { ...THING, name: `Thing ${number}` });
  const { history, items } = application.models;
  return { application, database, history, items, member: await createMember(application) };
}

/** Presses the button of the form on the page. */
async function press(visitor: Visitor, page: string, end: string) {
  const form = formIn(bodyText(await visitor.get(page)), end);
  const path = /action="([^"]*)"/.exec(form)?.[1] ?? '';
  return visitor.post(path, hiddenFields(form));
}

testOnEngines('a deleted item is gone everywhere, and Undo brings it back as it was', async (t) => {
  const { member, items } = await openItems(t);
  const before = await items.find(2);
  const deleted = await press(member, '/items/2', 'delete');
  assert.equal(headerOf(deleted, 'Location'), '/items');
  assert.equal(await items.find(2), null);
  const count = async (query = {}) => (await items.list(1, query)).itemCount;
  const counts = async () => [
    await count(),
    await count({ search: 'thing' }),
    await count({ tag: 'worn' }),
    await count({ location: 'Cellar' }),
  ];
  assert.deepEqual(await counts(), [2, 2, 2, 2]);

  const list = bodyText(await member.get('/items'));
  assert.match(list, /“Thing 2” was deleted\./);
  const undo = formIn(list, '/items/2/restore');
  assert.match(undo, /<button class="quiet">Undo<\/button>/);
  assert.doesNotMatch(bodyText(await member.get('/items')), /Undo/);
  const restored = await member.post('/items/2/restore', hiddenFields(undo));
  assert.equal(headerOf(restored, 'Location'), '/items/2');
  assert.match(bodyText(await member.follow(restored)), /“Thing 2” was restored\./);
  assert.deepEqual(await counts(), [3, 3, 3, 3]);
  const after = await items.find(2);
  assert.deepEqual(
    { ...after, updatedAt: null, updatedBy: null, version: null },
    { ...before, updatedAt: null, updatedBy: null, version: null },
  );
  assert.equal(after?.version, 3);
});

test('the page of a deleted item says who deleted it and when, and restores it', async (t) => {
  const { application, member } = await openItems(t);
  await press(member, '/items/2', 'delete');
  const gone = await member.get('/items/2');
  assert.equal(gone.status, 404);
  assert.match(bodyText(gone), /<h1>Thing 2 was deleted<\/h1>\n<p>ada deleted item 2 on <time/);
  const visitor = createVisitor(application);
  const seen = bodyText(await visitor.get('/items/2'));
  assert.doesNotMatch(seen, /<button>Restore/);
  assert.match(seen, /\/login\?next=%2Fitems%2F2/);
  const restored = await press(member, '/items/2', 'restore');
  assert.equal(headerOf(restored, 'Location'), '/items/2');
  const never = bodyText(await member.get('/items/9'));
  assert.match(never, /There is no item with the number 9 yet\./);
});

test('deleting, restoring and undoing count once, however often they are sent', async (t) => {
  const { member, history } = await openItems(t);
  const form = hiddenFields(formIn(bodyText(await member.get('/items/1')), 'delete'));
  const send = (path: string, fields: object) =>
    Promise.all(Array.from({ length: 10 }, () => member.post(path, { ...fields })));
  for (const answer of await send('/items/1/delete', form))
    assert.equal(headerOf(answer, 'Location'), '/items');
  const key = hiddenFields(formIn(bodyText(await member.get('/items/1')), 'restore'));
  for (const answer of await send('/items/1/restore', key))
    assert.equal(headerOf(answer, 'Location'), '/items/1');
  // The first form, late: it has been carried out.
  assert.equal(headerOf(await member.post('/items/1/delete', form), 'Location'), '/items');
  const { events } = await history.ofItem(1, 10);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['restored', 'deleted'],
  );
});

testOnEngines(
  'of two users who restore an item at once, one restores it, and both are redirected to it',
  async (t) => {
    const { application, member, history } = await openItems(t);
    const bo = await createMember(application, 'bo');
    await press(member, '/items/1', 'delete');
    const answers = await Promise.all([member, bo].map((one) => one.post('/items/1/restore')));
    for (const answer of answers) assert.equal(headerOf(answer, 'Location'), '/items/1');
    const { events } = await history.ofItem(1, 10);
    assert.equal(events.filter(({ kind }) => kind === 'restored').length, 1);
  },
);

test('the bin lists deleted items and restores them', async (t) => {
  const { application, member, items } = await openItems(t);
  assert.match(bodyText(await member.get('/items/bin')), /The bin is empty/);
  await press(member, '/items/1', 'delete');
  await press(member, '/items/3', 'delete');
  const bin = bodyText(await member.get('/items/bin'));
  assert.ok(bin.indexOf('Thing 3') < bin.indexOf('Thing 1'));
  assert.equal((await createVisitor(application).get('/items/bin')).status, 303);
  const restored = await press(member, '/items/bin', 'undo');
  assert.equal(headerOf(restored, 'Location'), '/items/3');
  assert.equal((await items.list(1)).itemCount, 2);
});

test('after 30 days the content of a deleted item is removed, not who deleted it and when', async (t) => {
  const { application, database, member, items } = await openItems(t);
  await member.submit('/items/1/edit', { name: 'Secret', quantity: '2' });
  await press(member, '/items/1', 'delete');
  await press(member, '/items/2', 'delete');
  const day = 86_400_000;
  const sweep = (days: number) =>
    database.write((one) => removeExpired(one, new Date(Date.now() + days * day)));
  await sweep(0);
  await sweep(29);
  assert.match(bodyText(await member.get('/items/1')), /<button>Restore/);
  await sweep(31);
  await sweep(33);
  // The sweep has also ended the session.
  const again = await createMember(application);
  const gone = bodyText(await again.get('/items/1'));
  assert.match(gone, /<h1>Item 1 was deleted<\/h1>\n<p>ada deleted it on/);
  assert.match(gone, /It can no longer be restored/);
  assert.equal((await again.post('/items/1/restore')).status, 404);
  assert.match(bodyText(await again.get('/items/bin')), /The bin is empty/);
  const history = bodyText(await again.get('/items/1/history'));
  assert.match(history, /deleted it/);
  assert.doesNotMatch(history, /Cellar|Secret|Thing|<del>/);
  // What still exists keeps its history.
  assert.notEqual(await items.find(3), null);
});

test('the address of a button leads to its item, and without an item it is a 404', async (t) => {
  const { member } = await openItems(t);
  for (const path of ['/items/1/delete', '/items/1/restore', '/items/1/history/1/undo'])
    assert.equal(headerOf(await member.get(path), 'Location'), '/items/1', path);
  for (const path of ['/items/9/delete', '/items/9/restore'])
    assert.equal((await member.post(path)).status, 404, path);
});
