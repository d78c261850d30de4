/** Ticked items: moved, tagged and deleted at once, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { formIn } from '../../testing/form-in.ts';
import { listBatches } from '../../testing/list-events.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../../testing/open-test-database.ts';
import { removeMany } from './change-many.ts';

async function openItems(t: TestContext, names = ['Drill', 'Saw', 'Lamp']) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const name of names) {
    const rest = { description: '', quantity: 1, location: 'Office', tags: ['tools'] };
    await addItem(database, { name, ...rest });
  }
  const member = await createMember(application);
  const { items } = application.models;
  const facts = async () =>
    (await items.list(1, { order: 'oldest' })).items.map(
      ({ name, location, tags }) => `${name}: ${location} ${tags.join('+')}`,
    );
  return { application, database, member, items, facts };
}

repeatOnEngines('ticked items are moved at once, with one Undo in the message', async (t) => {
  const { member, facts, application } = await openItems(t);
  const list = bodyText(await member.get('/items?tag=tools'));
  assert.match(list, /<a class="button quiet" href="\/items\/select\?tag=tools">Select<\/a>/);
  const sent = { row_0: '3', row_2: '1', location: 'Cellar', button: 'move' };
  const answer = await member.submit('/items/select?tag=tools', sent);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items?tag=tools');
  assert.deepEqual(await facts(), [
    'Drill: Cellar tools',
    'Saw: Office tools',
    'Lamp: Cellar tools',
  ]);
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /Moved 2 items to Cellar\./);
  const undo = formIn(shown, '/items/history/batches/1/undo');
  const undone = await member.post('/items/history/batches/1/undo', hiddenFields(undo));
  assert.equal(headerOf(undone, 'Location'), '/items/history/batches/1');
  assert.match(bodyText(await member.follow(undone)), /2 changes were undone\./);
  assert.deepEqual(await facts(), [
    'Drill: Office tools',
    'Saw: Office tools',
    'Lamp: Office tools',
  ]);
  const twice = await member.post('/items/history/batches/1/undo', hiddenFields(undo));
  assert.equal(twice.status, 303);
  assert.equal((await member.post('/items/history/batches/1/undo')).status, 409);
  assert.equal((await listBatches(application.database)).length, 2);
});

test('tags are added and removed in upper and lower case, and what needs no change is named', async (t) => {
  const { member, facts, items } = await openItems(t);
  const send = async (button: string, tag: string) => {
    const ticked = { row_0: '3', row_1: '2', row_2: '1' };
    const answer = await member.submit('/items/select', { ...ticked, tag, button });
    return bodyText(await member.follow(answer));
  };
  assert.match(await send('tag', 'Red'), /Tagged 3 items “Red”\./);
  assert.match(
    await send('tag', 'red'),
    /Nothing was changed\. “Drill”, “Saw” and “Lamp” have the tag already\./,
  );
  assert.match(await send('untag', 'TOOLS'), /Removed the tag “TOOLS” from 3 items\./);
  assert.deepEqual(await facts(), ['Drill: Office Red', 'Saw: Office Red', 'Lamp: Office Red']);
  const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await member.submit('/items/2/edit', {
    ...{ name: 'Saw', quantity: '1', location: 'Office', tags: tags.join(', ') },
    version: String((await items.find(2))?.version),
  });
  const full = await send('tag', 'new');
  assert.match(full, /Tagged 2 items “new”\. “Saw” has as many tags as an item can have\./);
});

test('an item that was deleted meanwhile is named and stops no other', async (t) => {
  const { member, facts } = await openItems(t);
  await member.post('/items/2/delete');
  const sent = { row_0: '3', row_1: '2', button: 'delete' };
  const answer = await member.submit('/items/select', sent);
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /Deleted 1 item\. No\. 2 was deleted meanwhile\./);
  assert.deepEqual(await facts(), ['Drill: Office tools']);
});

test('a form without a ticked item, a location or a tag comes back as it was', async (t) => {
  const { member } = await openItems(t);
  const cases = [
    [{ button: 'delete' }, 'row_0', 'Tick at least one item'],
    [{ row_1: '2', button: 'move' }, 'location', 'Enter the location to move the items to'],
    [{ row_1: '2', button: 'untag' }, 'tag', 'Enter a tag'],
    [
      { row_1: '2', tag: 'a, b', button: 'tag' },
      'tag',
      'Tag must not have a comma: add one at a time',
    ],
  ] as const;
  for (const [sent, field, message] of cases) {
    const answer = await member.submit('/items/select', { ...sent });
    assert.equal(answer.status, 400);
    const shown = bodyText(answer);
    assert.ok(shown.includes(`<a href="#${field}">${message}</a>`), message);
    if ('row_1' in sent) assert.match(shown, /name="row_1" value="2" checked/);
  }
});

test('what is typed for one button does not stop another', async (t) => {
  const { member, facts } = await openItems(t);
  const typed = { row_0: '3', until: 'soon', location: 'Cellar' };
  const move = await member.submit('/items/select', { ...typed, button: 'move' });
  assert.match(bodyText(await member.follow(move)), /Moved 1 item to Cellar\./);
  const sent = { ...typed, tag: 'a, b', button: 'delete' };
  assert.equal((await member.submit('/items/select', sent)).status, 303);
  assert.deepEqual(await facts(), ['Drill: Office tools', 'Saw: Office tools']);
});

test('an error opens the fields of its button, with what was typed', async (t) => {
  const { member } = await openItems(t);
  const open = (page: string) =>
    /<details name="choice" open><summary[^>]*>([^<]*)/.exec(page)?.[1];
  assert.equal(open(bodyText(await member.get('/items/select'))), undefined);
  assert.equal(open(bodyText(await member.get('/items/select?add=red'))), 'Tag…');
  const sent = { row_0: '3', location: 'Cellar', to: 'Bo', until: 'soon', button: 'lend' };
  const refused = bodyText(await member.submit('/items/select', sent));
  assert.equal(open(refused), 'Lend…');
  for (const value of ['Cellar', 'Bo', 'soon'])
    assert.match(refused, new RegExp(`value="${value}"`));
});

repeatOnEngines(
  'what is ticked on any page is counted and printed, and nothing else',
  async (t) => {
    const { member } = await openItems(t);
    const press = async (button: string) => {
      const answer = await member.submit('/items/select', { ticked: '1', row_0: '3', button });
      const path = headerOf(answer, 'Location') ?? '';
      const names = [...bodyText(await member.get(path)).matchAll(/<th scope="row">(\w+)/g)];
      return [path, ...names.map(([, name]) => name)];
    };
    assert.deepEqual(await press('count'), ['/items/count?ticked=1.3', 'Lamp', 'Drill']);
    assert.deepEqual(await press('print'), ['/items/print?ticked=1.3', 'Lamp', 'Drill']);
    const page = bodyText(await member.get('/items/count?ticked=1.3'));
    assert.match(page, /<a href="\/items\/select\?ticked=1\.3">/);
    assert.match(page, /action="\/items\/count\?ticked=1\.3&amp;/);
    const none = await member.submit('/items/select', { button: 'print' });
    assert.match(bodyText(none), /Tick at least one item/);
  },
);

test('the form suggests the locations and the tags that there are, one tag at a time', async (t) => {
  const { member } = await openItems(t);
  const page = bodyText(await member.get('/items/select'));
  assert.match(page, /name="location"[^>]* list="locations"/);
  assert.match(page, /<datalist id="locations"><option value="Office"><\/option><\/datalist>/);
  assert.match(page, /name="tag"[^>]* list="known-tags"/);
  assert.match(page, /<datalist id="known-tags"><option value="tools"><\/option><\/datalist>/);
});

test('ticks without any text are kept through the log-in, and so is the filter', async (t) => {
  const { application } = await openItems(t);
  const visitor = createVisitor(application);
  const path = "/items/select?tag=tools&q=~'";
  const refused = await visitor.post(`${path}&send=`, { row_0: '2', button: 'delete' });
  const form = hiddenFields(bodyText(refused));
  const answer = await visitor.post('/login', { ...form, username: 'ada', password: PASSWORD });
  assert.equal(headerOf(answer, 'Location'), '/items/select?tag=tools&q=~%27');
  assert.match(bodyText(await visitor.follow(answer)), /name="ticked" value="2"/);
});

test('the list has no link to select items for a reader, and an empty one says so', async (t) => {
  const { member } = await openItems(t, []);
  assert.match(bodyText(await member.get('/items/select')), /There is nothing to select here/);
  assert.doesNotMatch(bodyText(await member.get('/items')), /items\/select/);
});

repeatOnEngines(
  'one press undoes a large batch, and says how many changes it has undone',
  async (t) => {
    const { member, database, application } = await openItems(t, []);
    await fillItems(database, 700);
    const numbers = Array.from({ length: 700 }, (_, index) => index + 1);
    await database.write((transaction) => removeMany(transaction, numbers, 1));
    const path = '/items/history/batches/1';
    const undo = hiddenFields(formIn(bodyText(await member.get(path)), `${path}/undo`));
    const answers = await Promise.all([1, 2].map(() => member.post(`${path}/undo`, undo)));
    assert.deepEqual(
      answers.map(({ status, headers }) => `${status} ${headers['Location']}`),
      [`303 ${path}`, `303 ${path}`],
    );
    const shown = bodyText(await member.get(path));
    assert.match(shown, /700 changes were undone\./);
    assert.match(shown, / · undone/);
    assert.equal((await listBatches(application.database)).length, 2);
  },
);
