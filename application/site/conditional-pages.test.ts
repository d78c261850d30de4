/** The list and the page of an item, when the browser has a copy: docs/decisions/caching.md. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { addItem, openAnother, testOnEngines } from '../testing/open-test-database.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: ['tools'] };
const PAGES = ['/items', '/items?page=1', '/items/1'];

async function createWithItem(t: TestContext): Promise<TestApplication> {
  const application = await createTestApplication(t);
  await addItem(application.database, DRILL);
  return application;
}

async function tagOf(visitor: Visitor, path: string): Promise<string> {
  return headerOf(await visitor.get(path), 'ETag') ?? assert.fail(`${path} has no tag`);
}

function revisit(visitor: Visitor, path: string, tag: string) {
  return visitor.get(path, { headers: { 'if-none-match': tag } });
}

test('a browser with the current list or item gets a 304 without a body', async (t) => {
  const application = await createWithItem(t);
  const member = await createMember(application);
  for (const [visitor, paths] of [
    [createVisitor(application), PAGES],
    // The forms on the page of an item need a new key for each copy of the page.
    [member, PAGES.filter((path) => path !== '/items/1')],
  ] as const) {
    for (const path of paths) {
      const tag = await tagOf(visitor, path);
      const answer = await revisit(visitor, path, tag);
      assert.deepEqual([answer.status, answer.body], [304, null], path);
      assert.equal(headerOf(answer, 'ETag'), tag);
      assert.equal(headerOf(answer, 'Cache-Control'), 'private, no-cache');
      assert.match(headerOf(answer, 'Vary') ?? '', /^Cookie\b/);
    }
  }
});

test('a 304 reads no item, list or range', async (t) => {
  const application = await createWithItem(t);
  const tags = await Promise.all(PAGES.map((path) => tagOf(createVisitor(application), path)));
  const never = () => assert.fail('the content was asked for');
  const quick = await createTestApplication(t, {
    database: application.database,
    replace: ({ items }) => ({ items: { ...items, list: never, find: never, range: never } }),
  });
  for (const [index, path] of PAGES.entries()) {
    const answer = await revisit(createVisitor(quick), path, tags[index] ?? '');
    assert.equal(answer.status, 304, path);
  }
});

testOnEngines('every change is visible at once, whichever instance made it', async (t) => {
  const application = await createWithItem(t);
  const member = await createMember(application);
  const other = await openAnother(t, application.database);
  const visitor = createVisitor(application);
  const change = async (path: string, make: () => Promise<unknown>, shown: RegExp) => {
    const tag = await tagOf(visitor, path);
    await make();
    const answer = await revisit(visitor, path, tag);
    assert.equal(answer.status, 200, path);
    assert.match(bodyText(answer), shown);
  };
  await change('/items', () => member.submit('/items/new', { name: 'Saw' }), /2 items.*Saw/s);
  await change('/items', () => addItem(other, { ...DRILL, name: 'Lamp' }), /3 items.*Lamp/s);
  const lend = () =>
    other.write((transaction) =>
      transaction.updateTable('item_tags').set({ tag: 'lent out' }).execute(),
    );
  await change('/items/1', lend, /lent out/);
  await change('/items', lend, /lent out/);
});

test('a log-in and a log-out change the page', async (t) => {
  const application = await createWithItem(t);
  const member = await createMember(application);
  const tag = await tagOf(member, '/items');
  await member.post('/logout');
  const left = await revisit(member, '/items', tag);
  assert.equal(left.status, 200);
  assert.doesNotMatch(bodyText(left), /Logged in as/);
  const back = await createMember(application);
  assert.match(
    bodyText(await revisit(back, '/items', headerOf(left, 'ETag') ?? '')),
    /as<\/span> <strong>ada/,
  );
  // The same page for the same person in another session: it shows the same.
  assert.equal((await revisit(back, '/items', tag)).status, 304);
});

test('forms, the account page and missing items are sent completely each time', async (t) => {
  const application = await createWithItem(t);
  const member = await createMember(application);
  for (const path of ['/account', '/register', '/items/9', '/nothing']) {
    const answer = await member.get(path, { headers: { 'if-none-match': '*' } });
    assert.notEqual(answer.status, 304, path);
    assert.equal(headerOf(answer, 'ETag'), undefined, path);
    assert.equal(headerOf(answer, 'Cache-Control'), 'no-store', path);
  }
});

test('the item form stays in the browser for Back, and is new for each request', async (t) => {
  const member = await createMember(await createWithItem(t));
  const answer = await member.get('/items/new', { headers: { 'if-none-match': '*' } });
  const refused = await member.post('/items', { name: '' });
  assert.deepEqual([answer.status, refused.status], [200, 400]);
  for (const one of [answer, refused]) {
    assert.equal(headerOf(one, 'Cache-Control'), 'private, no-cache');
    assert.equal(headerOf(one, 'Vary'), 'Cookie');
    assert.equal(headerOf(one, 'ETag'), undefined);
    // A browser that loads the page again restores no field that has this attribute.
    assert.doesNotMatch(bodyText(one).split('<main')[1] ?? '', /autocomplete="off"/);
  }
  const { _once } = hiddenFields(bodyText(answer));
  assert.ok(_once);
  assert.notEqual(hiddenFields(bodyText(await member.get('/items/new')))['_once'], _once);
});

test('each copy of an item’s page has keys of its own for a member, so two tabs both count', async (t) => {
  const member = await createMember(await createWithItem(t));
  const [one, other] = [await member.get('/items/1'), await member.get('/items/1')];
  assert.equal(headerOf(one, 'ETag'), undefined);
  assert.equal(headerOf(one, 'Cache-Control'), 'private, no-cache');
  const keysOf = (markup: string) => [...markup.matchAll(/name="_once" value="([^"]+)"/g)];
  const keys = [one, other].flatMap((answer) => keysOf(bodyText(answer)).map(([, key]) => key));
  assert.equal(keys.length, 8);
  // The forms of one copy share a key: their paths or their fields differ.
  assert.equal(new Set(keys).size, 2);
});

test('the log-in page clears the pages that the browser has stored', async (t) => {
  const application = await createWithItem(t);
  const visitor = createVisitor(application);
  assert.match(
    bodyText(await visitor.get('/login')),
    /<link rel="stylesheet" href="\/login\/forget\.css">/,
  );
  const answer = await visitor.get('/login/forget.css');
  assert.deepEqual([answer.status, answer.body], [200, '']);
  assert.equal(headerOf(answer, 'Clear-Site-Data'), '"cache"');
  assert.equal(headerOf(answer, 'Cache-Control'), 'no-store');
  const member = await createMember(application);
  const again = await member.post('/login', { username: 'ada', password: '' });
  assert.equal(again.status, 400);
  assert.doesNotMatch(bodyText(again), /forget/);
});

test('the list has another tag after midnight of the team', async (t) => {
  let time = '2026-11-20T22:59:59Z';
  const now = () => new Date(time);
  const environment = { TIME_ZONE: 'Europe/Berlin' };
  const application = await createTestApplication(t, { now, environment });
  await addItem(application.database, DRILL);
  const visitor = createVisitor(application);
  const tag = await tagOf(visitor, '/items');
  time = '2026-11-20T23:00:00Z';
  assert.equal((await revisit(visitor, '/items', tag)).status, 200);
  const later = await tagOf(visitor, '/items');
  time = '2026-11-21T22:59:59Z';
  assert.equal((await revisit(visitor, '/items', later)).status, 304, 'and not at that of UTC');
});
