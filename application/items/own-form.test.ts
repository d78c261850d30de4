/** Things with a kind and with fields that the team has defined, through the forms that add and change them. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createRequest } from 'seeother';
import { bodyText, createVisitor, hiddenFields, type TypedFields } from 'seeother/testing';
import { addItemKind, addOwnField } from '../own-fields/write-definitions.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { itemForm } from './item-form.ts';
import { areFieldsChanged, createOwnForm } from './own-form.ts';

const CONDITIONS = [
  { id: 'c1', label: 'Good' },
  { id: 'c2', label: 'Needs repair' },
];

/** Kind 1 is a tool, with 1: volts and 2: condition; 2 is a book, with 3: author. All have 4: seen, and 5: manual. */
async function openTeam(t: TestContext) {
  const application = await createTestApplication(t);
  const { database } = application;
  await database.write(async (one) => {
    const tool = await addItemKind(one, { name: 'Tool', minimum: 3, icon: 'tool' });
    const book = await addItemKind(one, { name: 'Book' });
    await addOwnField(one, { kind: 'number', label: 'Volts', unit: 'V', itemKind: tool });
    const condition = {
      kind: 'choice',
      label: 'Condition',
      itemKind: tool,
      required: true,
    } as const;
    await addOwnField(one, { ...condition, choices: CONDITIONS });
    await addOwnField(one, { kind: 'text', label: 'Author', itemKind: book });
    await addOwnField(one, { kind: 'choices', label: 'Seen', choices: CONDITIONS });
    await addOwnField(one, { kind: 'link', label: 'Manual' });
  });
  const { items, history } = application.models;
  const member = await createMember(application);
  const own = async () => {
    const item = (await items.find(1)) ?? assert.fail('the item is gone');
    const own: Readonly<Record<string, unknown>> = { kind: item.kind, ...item.own };
    return own;
  };
  const openEdit = async () =>
    hiddenFields(formIn(bodyText(await member.get('/items/1/edit')), 'edit'));
  return { application, member, items, history, own, openEdit };
}

const DRILL: TypedFields = {
  ...{ name: 'Drill', kind: '1', own_1: '230', own_2: 'c1', own_4: ['c1', 'c2'] },
  own_5: 'https://example.org/drill',
};

test('the form has the fields of the chosen kind, and keeps everything typed when the kind changes', async (t) => {
  const { member } = await openTeam(t);
  const first = bodyText(await member.get('/items/new'));
  assert.match(first, /name="own_4".*name="own_5"/s);
  assert.doesNotMatch(first, /name="own_1"/);
  const change = { _change: 'update kind' };
  const tool = await member.submit('/items/new', {
    name: 'Drill',
    kind: '1',
    own_4: 'c2',
    ...change,
  });
  assert.equal(tool.status, 200);
  const asTool = bodyText(tool);
  assert.match(asTool, /value="Drill".*name="minimum" value="3".*value="c2" checked/s);
  assert.match(asTool, /Volts \(V\).*Needs repair/s);
  assert.doesNotMatch(asTool, /There is a problem/);
  const book = await member.submit(tool, { ...DRILL, kind: '2', ...change });
  const asBook = bodyText(book);
  assert.match(asBook, /Author.*Kept from another kind: Volts, Condition/s);
  const saved = await member.submit(book, {
    name: 'Drill',
    kind: '2',
    own_1: '230',
    own_2: 'c1',
    own_3: 'Me',
  });
  assert.equal(saved.status, 303);
  const page = bodyText(await member.follow(saved));
  assert.match(page, /<dt>Kind<\/dt>.*Book.*<dt>Author<\/dt><dd>Me/s);
  assert.doesNotMatch(page, /230/);
  assert.match(bodyText(await member.get('/items/1/edit')), /Kept from another kind.*value="230"/s);
});

test('a thing is added with its values, shown, and copied for another one like it', async (t) => {
  const { member, own } = await openTeam(t);
  const refused = await member.submit('/items/new', { ...DRILL, own_2: '' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /Choose “Condition”.*value="230"/s);
  const added = await member.submit(refused, DRILL);
  assert.equal(added.status, 303);
  assert.deepEqual(await own(), {
    ...{ kind: 1, 1: '230', 2: 'c1', 4: ['c1', 'c2'], 5: 'https://example.org/drill' },
  });
  const page = bodyText(await member.follow(added));
  assert.match(page, /<svg[^>]*aria-hidden="true".*Tool.*<dt>Volts<\/dt><dd>230 V</s);
  assert.match(page, /<dt>Seen<\/dt><dd>Good, Needs repair</);
  assert.match(page, /<a href="https:\/\/example.org\/drill" rel="noreferrer">/);
  const another = bodyText(await member.get('/items/new?like=1'));
  assert.match(another, /value="1" selected.*value="230".*value="c1" selected/s);
});

test('two people who change the same field choose, and the change can be undone', async (t) => {
  const { member, own, openEdit, history } = await openTeam(t);
  await member.submit('/items/new', DRILL);
  const opened = await openEdit();
  const other = { ...opened, ...DRILL, own_1: '110', own_4: ['c1'] };
  assert.equal((await member.post('/items/1/edit', other)).status, 303);
  const mine = { ...(await openEdit()), ...DRILL, version: '1', own_1: '400', own_2: 'c2' };
  const conflict = await member.post('/items/1/edit', mine);
  assert.equal(conflict.status, 409);
  const page = bodyText(conflict);
  assert.match(page, /<legend>Volts<\/legend>\n<p class="hint">You both changed this/);
  assert.match(page, /Yours: <span class="value">400 V<.*Theirs: <span class="value">110 V</s);
  assert.match(page, /<legend>Condition.*Yours: <span class="value">Needs repair/s);
  assert.match(page, /choose_own_4-theirs" name="choose_own_4" value="theirs" checked/);
  const hidden = hiddenFields(formIn(page, 'edit'));
  const chosen = {
    choose_own_1: 'mine',
    choose_own_2: 'mine',
    choose_own_4: 'theirs',
    button: 'save',
  };
  const saved = await member.post('/items/1/edit', { ...hidden, own_4: ['c1', 'c2'], ...chosen });
  assert.equal(saved.status, 303);
  const merged = { kind: 1, 1: '400', 2: 'c2', 4: ['c1'], 5: 'https://example.org/drill' };
  assert.deepEqual(await own(), merged);
  const [event] = (await history.ofItem(1, 1)).events;
  assert.match(
    bodyText(await member.get('/items/1/history')),
    /Volts: <del>110 V<\/del> → <ins>400 V</,
  );
  await member.post(`/items/1/history/${event?.id}/undo`, {});
  assert.deepEqual(await own(), { ...merged, 1: '110', 2: 'c1' });
});

test('a field that was removed meanwhile keeps its stored value, and what was typed is told', async (t) => {
  const { application, member, own, openEdit } = await openTeam(t);
  await member.submit('/items/new', DRILL);
  const opened = await openEdit();
  const remove = (removed: number) =>
    application.database.write((one) =>
      one.updateTable('own_fields').set({ removed }).where('id', '=', 1).execute(),
    );
  await remove(1);
  const refused = await member.post('/items/1/edit', { ...opened, ...DRILL, own_1: '400' });
  assert.equal(refused.status, 400);
  assert.match(
    bodyText(refused),
    /“Volts \(V\)” is no longer part of this form. You had entered: 400/,
  );
  const { own_1: _, ...rest } = DRILL;
  assert.equal((await member.submit(refused, { ...rest, name: 'Hammer' })).status, 303);
  assert.doesNotMatch(bodyText(await member.get('/items/1')), /Volts/);
  await remove(0);
  assert.match(bodyText(await member.get('/items/1')), /Volts<\/dt><dd>230 V/);
  assert.equal((await own())[1], '230');
});

test('a form that was sent after the session ended comes back with the kind and all values', async (t) => {
  const { application, member, own } = await openTeam(t);
  const opened = hiddenFields(bodyText(await member.get('/items/new')));
  const visitor = createVisitor(application);
  const refused = await visitor.post('/items', { ...opened, ...DRILL });
  assert.equal(refused.status, 401);
  const log = {
    ...hiddenFields(formIn(bodyText(refused), 'login')),
    username: 'ada',
    password: PASSWORD,
  };
  const back = bodyText(await visitor.follow(await visitor.post('/login', log)));
  assert.match(back, /value="1" selected.*value="c2" checked.*value="230".*value="c1" selected/s);
  const again = { ...hiddenFields(formIn(back, 'items')), ...DRILL };
  const answers = await Promise.all([visitor.post('/items', again), visitor.post('/items', again)]);
  assert.deepEqual(
    answers.map((one) => headerOf(one, 'Location')),
    ['/items/1', '/items/1'],
  );
  assert.equal((await own())[1], '230');
});

test('a form whose definitions change while it is sent is known to be outdated', async (t) => {
  const { application, items } = await openTeam(t);
  const { database } = application;
  const make = createOwnForm(items, () => itemForm);
  const request = createRequest({ method: 'POST', target: '/items' });
  const context = { request, route: null, typed: new URLSearchParams(), shownFields: null };
  const definition = await make(context);
  const isChanged = () => database.write(async (one) => areFieldsChanged(one, { definition }));
  assert.equal(await make(context), definition, 'it is made once');
  assert.equal(await isChanged(), false);
  await database.write((one) => addOwnField(one, { kind: 'text', label: 'New' }));
  assert.equal(await isChanged(), true);
  assert.notEqual(await make(context), definition);
});
