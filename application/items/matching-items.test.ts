/** All items that match a filter: moved, tagged and deleted with one form, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { fillItems } from '../testing/fill-items.ts';
import { formIn } from '../testing/form-in.ts';
import { listEvents } from '../testing/list-events.ts';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

const CHAIR = { name: 'Chair', description: '', quantity: 1, location: 'Office', tags: ['red'] };
const PAGE = '/items/select?tag=red&matching=';

/** 45 red items, and others that are not. */
async function openItems(t: TestContext, filled = 0) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  if (filled > 0) await fillItems(database, filled);
  await addItem(database, { ...CHAIR, name: 'Table', tags: [] });
  for (let count = 0; count < 45; count++) await addItem(database, CHAIR);
  const member = await createMember(application);
  const { items, history, batches } = application.models;
  const count = async (query: object) => (await items.list(1, query)).itemCount;
  const read = async (path: string) => bodyText(await member.get(path));
  return { application, database, member, items, history, batches, count, read };
}

testOnEngines('all items that match are moved at once, with one Undo', async (t) => {
  const { member, read, count, batches } = await openItems(t);
  const page = await read('/items/select?tag=red');
  const [, link] = /<a href="([^"]+)">Select all 45 items that match<\/a>/.exec(page) ?? [];
  assert.equal(link, '/items/select?tag=red&amp;matching=');
  const all = await read(PAGE);
  assert.match(all, /All 45 items that match are selected, including 25 that are not on this page/);
  assert.match(all, /<legend>With all 45 items that match<\/legend>/);
  assert.doesNotMatch(all, /type="checkbox"/);
  const sent = { button: 'move', location: 'Cellar' };
  const answer = await member.submit(PAGE, sent);
  assert.equal(headerOf(answer, 'Location'), '/items?tag=red');
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /Moved 45 items to Cellar\./);
  assert.equal(await count({ location: 'Cellar' }), 45);
  assert.equal((await batches.list(10, 1_000)).length, 1);
  const undo = formIn(shown, '/items/history/batches/1/undo');
  await member.post('/items/history/batches/1/undo', hiddenFields(undo));
  assert.equal(await count({ location: 'Office' }), 46);
});

testOnEngines(
  'when other items match meanwhile, nothing is changed and the page says so',
  async (t) => {
    const { member, database, read, count } = await openItems(t);
    const form = { ...hiddenFields(formIn(await read(PAGE), '/items/select')), button: 'delete' };
    await addItem(database, CHAIR);
    const refused = await member.post('/items/select?tag=red&send=', form);
    assert.equal(refused.status, 409);
    const shown = bodyText(refused);
    assert.match(
      shown,
      /Other items match than before: 46 items match now\. Nothing was changed\./,
    );
    assert.match(shown, /All 46 items that match are selected/);
    assert.equal((await listEvents(database)).length, 0);
    const again = { ...hiddenFields(formIn(shown, '/items/select')), button: 'delete' };
    assert.equal((await member.post('/items/select?tag=red&send=', again)).status, 303);
    assert.deepEqual([await count({ tag: 'red' }), await count({})], [0, 1]);
  },
);

testOnEngines(
  'a form for all that match counts once, also when it changes what matches',
  async (t) => {
    const { member, read, count, batches } = await openItems(t);
    const form = hiddenFields(formIn(await read(PAGE), '/items/select'));
    const send = () =>
      member.post('/items/select?tag=red&send=', { ...form, button: 'untag', tag: 'red' });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    answers.push(await send());
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal(await count({ tag: 'red' }), 0);
    assert.equal((await batches.list(10, 1_000)).length, 1);
  },
);

test('more items than a form can change have no form, and an invented one changes nothing', async (t) => {
  const { member, database, read } = await openItems(t, 501);
  const page = await read('/items/select?q=thing');
  assert.match(page, /More than 500 items match, too many for one form\./);
  assert.doesNotMatch(page, /Select all/);
  assert.match(await read('/items/select?q=thing&matching='), /type="checkbox"/);
  const form = { matching: 'x', button: 'delete' };
  for (const path of ['/items/select?q=thing', '/items/select?tag=red', '/items/select']) {
    const answer = await member.post(path, form);
    assert.equal(answer.status, 409, path);
    assert.match(bodyText(answer), /Other items match than before/);
  }
  assert.equal((await listEvents(database)).length, 0);
});

test('the link is there only with a filter, and when more items match than are shown', async (t) => {
  const { read } = await openItems(t);
  assert.doesNotMatch(await read('/items/select'), /that match/);
  assert.doesNotMatch(await read('/items/select?matching='), /that match/);
  assert.doesNotMatch(await read('/items/select?q=table'), /that match/);
  assert.match(await read('/items/select?q=none&matching='), /There is nothing to select here/);
});

test('a form for all that match comes back with its errors; a log-in keeps what was typed', async (t) => {
  const { application, member, read, count } = await openItems(t);
  const form = hiddenFields(formIn(await read(PAGE), '/items/select'));
  const path = '/items/select?tag=red&send=&matching=';
  assert.ok((await read(PAGE)).includes(`action="${path.replaceAll('&', '&amp;')}"`));
  const invalid = await member.post(path, { ...form, button: 'move' });
  assert.equal(invalid.status, 400);
  assert.match(bodyText(invalid), /Enter the location to move the items to/);
  assert.match(bodyText(invalid), /All 45 items that match are selected/);
  const visitor = createVisitor(application);
  const refused = await visitor.post(path, { ...form, button: 'move', location: 'Roof' });
  assert.equal(refused.status, 401);
  const logIn = { ...hiddenFields(bodyText(refused)), username: 'ada', password: PASSWORD };
  const shown = bodyText(await visitor.follow(await visitor.post('/login', logIn)));
  assert.match(shown, /value="Roof"/);
  assert.match(shown, /All 45 items that match are selected/);
  assert.equal(await count({ location: 'Roof' }), 0);
});
