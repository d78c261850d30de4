import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  type TypedFields,
  type Visitor,
} from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, testOnEngines } from '../../testing/open-test-database.ts';
import { FIELDS, ITEM_FIELDS, mapFields } from '../item-fields.ts';
import { toItemText } from '../item-form.ts';

const DRILL = {
  name: 'Drill',
  description: 'Two batteries',
  quantity: 5,
  location: 'Workshop',
  tags: ['tools', 'lent out'],
};
const TYPED = {
  name: 'Drill',
  description: 'Two batteries',
  quantity: '5',
  location: 'Workshop',
  tags: 'tools, lent out',
};

async function openItem(t: TestContext) {
  const application = await createTestApplication(t);
  await addItem(application.database, DRILL);
  const { history, items } = application.models;
  const member = await createMember(application);
  return {
    application,
    member,
    items,
    find: async () => (await items.find(1)) ?? assert.fail('the item is gone'),
    events: async () => (await history.ofItem(1, 100)).events,
  };
}

/** The hidden fields of the form to edit item 1, with its key and version. */
async function openForm(member: Visitor) {
  return hiddenFields(formIn(bodyText(await member.get('/items/1/edit')), 'edit'));
}

test('an edited item shows its new values, says so, and its history has the old ones', async (t) => {
  const { member, find, events } = await openItem(t);
  const page = bodyText(await member.get('/items/1/edit'));
  for (const value of ['Drill', '5', 'Workshop', 'tools, lent out'])
    assert.ok(page.includes(`value="${value}"`), value);
  assert.ok(page.includes('Two batteries</textarea>'));
  const answer = await member.submit('/items/1/edit', {
    ...TYPED,
    name: 'Hammer drill',
    tags: 'tools',
  });
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items/1');
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /The changes were saved\./);
  assert.match(shown, /<h1>Hammer drill /);
  const { name, tags, version, updatedBy } = await find();
  assert.deepEqual(
    { name, tags, version, updatedBy },
    { name: 'Hammer drill', tags: ['tools'], version: 2, updatedBy: 'ada' },
  );
  const [event, ...others] = await events();
  assert.deepEqual(others, []);
  assert.equal(event?.kind, 'changed');
  assert.equal(event?.by, 'ada');
  assert.deepEqual(event?.changes, {
    name: ['Drill', 'Hammer drill'],
    tags: [['tools', 'lent out'], ['tools']],
  });
  assert.match(
    bodyText(await member.get('/items/1/history')),
    /Name: <del>Drill<\/del> → <ins>Hammer drill<\/ins>/,
  );
});

test('a form that changes nothing says so and writes nothing', async (t) => {
  const { member, find, events } = await openItem(t);
  const answer = await member.submit('/items/1/edit', TYPED);
  assert.equal(answer.status, 303);
  assert.match(bodyText(await member.follow(answer)), /Nothing was changed\./);
  assert.deepEqual(await events(), []);
  assert.equal((await find()).version, 1);
});

testOnEngines('no field is lost: not by an edit, its undo, a conflict, or a restore', async (t) => {
  const { member, find, events } = await openItem(t);
  const texts = { line: 'New line', text: 'New\ntext', number: '7', list: 'new, list' };
  const typed = mapFields((name) => texts[FIELDS[name].kind]);
  const before = toItemText(await find());
  const opened = await openForm(member);
  assert.equal((await member.submit('/items/1/edit', typed)).status, 303);
  assert.deepEqual(toItemText(await find()), typed);
  assert.deepEqual(Object.keys((await events())[0]?.changes ?? {}), ITEM_FIELDS);
  const page = bodyText(await member.get('/items/1/edit'));
  for (const name of ITEM_FIELDS)
    if (FIELDS[name].kind === 'text')
      assert.ok(page.includes(`>\n${typed[name]}</textarea>`), name);
    else assert.ok(page.includes(`name="${name}" value="${typed[name]}"`), name);
  const mine = { ...opened, ...before, ...mapFields((name) => `${typed[name]}1`) };
  const conflict = await member.post('/items/1/edit', mine);
  assert.equal(conflict.status, 409);
  const form = formIn(bodyText(conflict), 'edit');
  for (const name of ITEM_FIELDS) assert.match(form, new RegExp(`name="choose_${name}"`));
  const theirs = Object.fromEntries(ITEM_FIELDS.map((name) => [`choose_${name}`, 'theirs']));
  const chosen = await member.post('/items/1/edit', { ...hiddenFields(form), ...theirs });
  assert.match(bodyText(await member.follow(chosen)), /Nothing was changed\./);
  await member.post('/items/1/delete');
  await member.post('/items/1/restore');
  assert.deepEqual(toItemText(await find()), typed);
  assert.equal((await member.post('/items/1/history/1/undo')).status, 303);
  assert.deepEqual(toItemText(await find()), before);
});

testOnEngines('an edit that is sent fifty times at once is made once', async (t) => {
  const { member, find, events } = await openItem(t);
  const fields = { ...(await openForm(member)), ...TYPED, location: 'Cellar' };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => member.post('/items/1/edit?send=', fields)),
  );
  assert.deepEqual(
    new Set(answers.map((one) => `${one.status} ${headerOf(one, 'Location')}`)),
    new Set(['303 /items/1']),
  );
  assert.equal((await find()).version, 2);
  assert.equal((await events()).length, 1);
});

test('an invalid edit is a 400 with everything that was typed, and keeps its key', async (t) => {
  const { member, find } = await openItem(t);
  const fields = { ...(await openForm(member)), ...TYPED, name: '', location: 'Cellar' };
  const refused = await member.post('/items/1/edit?send=', fields);
  assert.equal(refused.status, 400);
  const markup = bodyText(refused);
  assert.match(markup, /<title>Error: Edit Drill/);
  assert.match(markup, /<a href="#name">Enter a name<\/a>/);
  assert.match(markup, /value="Cellar"/);
  const hidden = hiddenFields(formIn(markup, 'edit'));
  const again = { ...hidden, ...TYPED, location: 'Cellar' };
  assert.equal(hidden['_once'], (fields as TypedFields)['_once']);
  assert.equal((await member.post('/items/1/edit?send=', again)).status, 303);
  assert.equal((await find()).location, 'Cellar');
});

test('an edit over another change is a 409 that shows both values, and saves what is chosen', async (t) => {
  const { application, member, find } = await openItem(t);
  const bo = await createMember(application, 'bo');
  const mine = {
    ...(await openForm(member)),
    ...TYPED,
    name: 'Ada’s drill',
    description: 'Mine\n\n"both"',
  };
  const theirs = { ...TYPED, location: 'Cellar', description: 'Theirs' };
  assert.equal((await bo.submit('/items/1/edit', theirs)).status, 303);
  const conflict = await member.post('/items/1/edit?send=', mine);
  assert.equal(conflict.status, 409);
  const markup = bodyText(conflict);
  assert.match(markup, /<h1>Drill was changed meanwhile<\/h1>\n<p>bo changed it/);
  assert.equal((await find()).name, 'Drill');
  const checked = [...markup.matchAll(/name="choose_(\w+)" value="(\w+)" checked/g)];
  assert.deepEqual(
    checked.map(([, field, value]) => `${field} ${value}`),
    // Only ada has changed the name, only bo the location, both the description.
    ['name mine', 'description mine', 'location theirs'],
  );
  assert.match(markup, /Theirs: <span class="value">Cellar</);
  assert.match(markup, /You both changed this/);
  const choices = {
    choose_name: 'mine',
    choose_description: 'mine',
    choose_location: 'theirs',
  };
  const sent = { ...hiddenFields(formIn(markup, 'edit')), ...choices };
  const saved = await member.post('/items/1/edit?send=', sent);
  assert.equal(saved.status, 303);
  const again = await member.post('/items/1/edit?send=', sent);
  assert.equal(headerOf(again, 'Location'), '/items/1');
  const { name, description, location, version } = await find();
  assert.deepEqual(
    { name, description, location, version },
    { name: 'Ada’s drill', description: 'Mine\n\n"both"', location: 'Cellar', version: 3 },
  );
});

test('an edit that was overtaken twice keeps what was typed and chosen', async (t) => {
  const { application, member, find } = await openItem(t);
  const bo = await createMember(application, 'bo');
  const mine = { ...(await openForm(member)), ...TYPED, name: 'Mine', location: 'Mine' };
  await bo.submit('/items/1/edit', { ...TYPED, location: 'First' });
  const first = bodyText(await member.post('/items/1/edit?send=', mine));
  await bo.submit('/items/1/edit', { ...TYPED, location: 'Second' });
  const choices = { choose_name: 'mine', choose_location: 'theirs' };
  const second = await member.post('/items/1/edit?send=', {
    ...hiddenFields(formIn(first, 'edit')),
    ...choices,
  });
  assert.equal(second.status, 409);
  const markup = bodyText(second);
  assert.match(markup, /Second/);
  const checked = [...markup.matchAll(/name="choose_(\w+)" value="(\w+)" checked/g)];
  assert.deepEqual(
    checked.map(([, field, value]) => `${field} ${value}`),
    ['name mine', 'location theirs'],
  );
  const sent = { ...hiddenFields(formIn(markup, 'edit')), ...choices };
  assert.equal((await member.post('/items/1/edit?send=', sent)).status, 303);
  const { name, location } = await find();
  assert.deepEqual([name, location], ['Mine', 'Second']);
});

test('a change that another user has just made is not a conflict, and changes nothing', async (t) => {
  const { application, member, events } = await openItem(t);
  const bo = await createMember(application, 'bo');
  const fields = { ...(await openForm(member)), ...TYPED, location: 'Cellar' };
  await bo.submit('/items/1/edit', { ...TYPED, location: 'Cellar' });
  const answer = await member.post('/items/1/edit?send=', fields);
  assert.equal(answer.status, 303);
  assert.match(bodyText(await member.follow(answer)), /Nothing was changed\./);
  assert.equal((await events()).length, 1);
});

test('a form without its version is never saved over the item', async (t) => {
  const { member, find } = await openItem(t);
  for (const version of [
    {},
    { version: '' },
    { version: '0' },
    { version: '2' },
    { version: 'x' },
  ]) {
    const answer = await member.post('/items/1/edit', { ...TYPED, name: 'Other', ...version });
    assert.equal(answer.status, 409, JSON.stringify(version));
  }
  assert.equal((await find()).name, 'Drill');
});

test('an edit of an item that was deleted meanwhile can restore it and save', async (t) => {
  const { application, member, find, events } = await openItem(t);
  const bo = await createMember(application, 'bo');
  const mine = { ...(await openForm(member)), ...TYPED, location: 'Cellar' };
  await bo.post('/items/1/delete');
  const refused = await member.post('/items/1/edit?send=', mine);
  assert.equal(refused.status, 409);
  const markup = bodyText(refused);
  assert.match(markup, /<h1>Drill was deleted meanwhile<\/h1>\n<p>bo deleted it/);
  const sent = { ...hiddenFields(formIn(markup, 'edit')), choose_location: 'mine' };
  const saved = await member.post('/items/1/edit?send=', { ...sent, button: 'restore' });
  assert.equal(saved.status, 303);
  assert.equal((await find()).location, 'Cellar');
  assert.deepEqual(
    (await events()).map(({ kind, by }) => `${by} ${kind}`),
    ['ada changed', 'ada restored', 'bo deleted'],
  );
});

test('an edit without a session is a 401, and comes back after the log-in with its version', async (t) => {
  const { application, member, find } = await openItem(t);
  const mine = { ...(await openForm(member)), ...TYPED, location: 'Cellar' };
  const visitor = createVisitor(application);
  const refused = await visitor.post('/items/1/edit?send=', mine);
  assert.equal(refused.status, 401);
  // Somebody changes the item before the log-in: it must not be overwritten.
  await member.submit('/items/1/edit', { ...TYPED, location: 'Office' });
  const account = { username: 'ada', password: PASSWORD };
  const hidden = hiddenFields(formIn(bodyText(refused), '/login'));
  const loggedIn = await visitor.post('/login', { ...hidden, ...account });
  assert.equal(headerOf(loggedIn, 'Location'), '/items/1/edit');
  const page = bodyText(await visitor.follow(loggedIn));
  assert.match(page, /not saved yet/);
  assert.match(page, /value="Cellar"/);
  const sent = { ...hiddenFields(formIn(page, 'edit')), ...TYPED, location: 'Cellar' };
  assert.equal((await visitor.post('/items/1/edit?send=', sent)).status, 409);
  assert.equal((await find()).location, 'Office');
});

test('an edit of an item that does not exist is a 404 that returns what was typed', async (t) => {
  const { member } = await openItem(t);
  for (const path of ['/items/9/edit', '/items/9007199254740991/edit']) {
    assert.equal((await member.get(path)).status, 404, path);
    const answer = await member.post(path, { ...TYPED, version: '1' });
    assert.equal(answer.status, 404, path);
    assert.match(bodyText(answer), /<dd>Two batteries<\/dd>/, path);
  }
});
