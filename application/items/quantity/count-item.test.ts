import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';

const CHAIRS = { name: 'Chair', description: '', quantity: 10, location: '', tags: [] };
const PATH = '/items/1/quantity?send=';

async function openItem(t: TestContext, quantity = 10) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  await addItem(database, { ...CHAIRS, quantity });
  const { history, items } = application.models;
  const member = await createMember(application);
  return {
    application,
    member,
    quantity: async () => (await items.find(1))?.quantity,
    events: async () => (await history.ofItem(1, 1_000)).events,
    /** Sends the form on the page of the item. */
    send: async (fields: TypedFields, visitor = member) => {
      const form = typingForm(bodyText(await visitor.get('/items/1')));
      return visitor.post(PATH, { ...hiddenFields(form), ...fields });
    },
  };
}

/** The form with fields: another one, before it, has the buttons for one. */
function typingForm(page: string): string {
  return formIn(page.slice(page.indexOf('<form class="form"')), 'quantity');
}

test('a quantity is taken or added with a reason, which the history shows', async (t) => {
  const { member, send, quantity, events } = await openItem(t);
  const taken = await send({ amount: '3', reason: 'for the fair', button: 'take' });
  assert.equal(headerOf(taken, 'Location'), '/items/1');
  const shown = bodyText(await member.follow(taken));
  assert.match(shown, /Quantity is now 7 \(was 10\)\./);
  assert.match(shown, /<strong>ada<\/strong> took 3<\/span>: “for the fair”/);
  assert.match(shown, /Quantity: <del>10<\/del> → <ins>7<\/ins>/);
  const added = await send({ amount: '1,5', button: 'add' });
  assert.equal(added.status, 400);
  assert.match(
    bodyText(await member.follow(await send({ amount: '2', button: 'add' }))),
    /Quantity is now 9 \(was 7\)/,
  );
  assert.equal(await quantity(), 9);
  assert.deepEqual(
    (await events()).map(({ kind, reason, changes, version }) => ({
      kind,
      reason,
      changes,
      version,
    })),
    [
      { kind: 'counted', reason: '', changes: { quantity: [7, 9] }, version: 3 },
      { kind: 'counted', reason: 'for the fair', changes: { quantity: [10, 7] }, version: 2 },
    ],
  );
});

test('one is taken or added without typing, and Undo is in the message', async (t) => {
  const { member, quantity, events } = await openItem(t, 1);
  const press = async (button: string) => {
    const form = formIn(bodyText(await member.get('/items/1')), 'quantity');
    return member.post(PATH, { ...hiddenFields(form), button });
  };
  const shown = bodyText(await member.follow(await press('less')));
  assert.match(shown, /Quantity is now 0 \(was 1\)\./);
  const none = await press('less');
  assert.equal(none.status, 400);
  assert.match(bodyText(none), /There is nothing left to take/);
  const undo = formIn(shown, '/undo');
  assert.equal((await member.post('/items/1/history/1/undo', hiddenFields(undo))).status, 303);
  await press('more');
  assert.equal(await quantity(), 2);
  assert.equal((await events()).length, 3);
});

test('a quantity is set, and one that was changed meanwhile is not overwritten unseen', async (t) => {
  const { application, member, send, quantity, events } = await openItem(t);
  const bo = await createMember(application, 'bo');
  const stale = hiddenFields(typingForm(bodyText(await member.get('/items/1'))));
  await send({ amount: '4', button: 'take' }, bo);
  const set = { amount: '8', reason: 'counted', button: 'set' };
  const refused = await member.post(PATH, { ...stale, ...set });
  assert.equal(refused.status, 409);
  const page = bodyText(refused);
  assert.match(page, /The quantity was changed meanwhile\. Press “Set to” again if it is 8 all/);
  assert.match(page, /Quantity now: <strong>6<\/strong>\. <a [^>]*>Leave it at 6<\/a>/);
  assert.match(page, /value="8"[\s\S]*value="counted"/);
  assert.equal(await quantity(), 6);
  // The page that asks shows the quantity, so its form may overwrite it.
  const again = await member.post(PATH, { ...hiddenFields(typingForm(page)), ...set });
  const shown = bodyText(await member.follow(again));
  assert.match(shown, /Quantity is now 8 \(was 6\)\./);
  assert.match(shown, /<strong>ada<\/strong> set the quantity to 8<\/span>: “counted”/);
  const same = bodyText(await member.follow(await send({ amount: '8', button: 'set' })));
  assert.match(same, /Quantity is 8 already\. Nothing was changed\./);
  assert.equal((await send({ amount: '-1', button: 'set' })).status, 400);
  assert.equal((await send({ amount: '0', button: 'set' })).status, 303);
  assert.equal(await quantity(), 0);
  assert.equal((await events()).length, 3);
});

testOnEngines('the quantity does not become lower than what is lent', async (t) => {
  const { member, send, quantity } = await openItem(t, 4);
  await member.submit('/items/1/lend', { quantity: '2', to: 'Bo', until: '2999-12-03' });
  const refuse = async (fields: TypedFields, message: RegExp) => {
    const answer = await send(fields);
    assert.equal(answer.status, 409);
    assert.match(bodyText(answer), message);
    assert.match(bodyText(answer), new RegExp(`name="amount" value="${fields['amount'] ?? ''}"`));
  };
  const tooMany = />Take 2 or fewer: 2 are lent to Bo, until 3 Dec 2999</;
  await refuse({ amount: '3', button: 'take' }, tooMany);
  await refuse({ amount: '9', button: 'take' }, tooMany);
  const less = />2 are lent to Bo, until 3 Dec 2999: return them first</;
  await refuse({ amount: '1', seen: '4', button: 'set' }, less);
  assert.equal((await send({ amount: '2', button: 'take' })).status, 303);
  await refuse({ button: 'less' }, less);
  assert.equal(await quantity(), 2);
});

test('Enter takes, because that is the first button', async (t) => {
  const { send, quantity } = await openItem(t);
  assert.equal((await send({ amount: '4' })).status, 303);
  assert.equal(await quantity(), 6);
});

test('a quantity stays within its limits, and the page says what is possible', async (t) => {
  const { send, quantity, events } = await openItem(t, 999_998);
  const tooMany = await send({ amount: '3', button: 'add', reason: 'bought' });
  assert.equal(tooMany.status, 400);
  assert.match(bodyText(tooMany), /Add 2 or fewer: the quantity can be 1,000,000 at most/);
  assert.match(bodyText(tooMany), /value="bought"/);
  assert.equal((await send({ amount: '2', button: 'add' })).status, 303);
  assert.equal((await send({ amount: '1000000', button: 'take' })).status, 303);
  const none = await send({ amount: '1', button: 'take' });
  assert.match(bodyText(none), /There is nothing left to take/);
  for (const amount of ['0', '-1', '1000001', 'many'])
    assert.equal((await send({ amount, button: 'take' })).status, 400, amount);
  assert.equal((await send({ amount: '1', button: 'steal' })).status, 400);
  assert.equal(await quantity(), 0);
  assert.equal((await events()).length, 2);
});

testOnEngines(
  'a form that is sent again counts once; a new copy of the page counts again',
  async (t) => {
    const { member, send, quantity } = await openItem(t);
    const form = typingForm(bodyText(await member.get('/items/1')));
    const fields = { ...hiddenFields(form), amount: '1', button: 'take' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => member.post(PATH, fields)));
    assert.ok(answers.every(({ status }) => status === 303));
    assert.equal(await quantity(), 9);
    await send({ amount: '1', button: 'take' });
    assert.equal(await quantity(), 8);
  },
);

test('a form that is sent again after Back says that it did nothing this time', async (t) => {
  const { member, quantity } = await openItem(t);
  const form = typingForm(bodyText(await member.get('/items/1')));
  const fields = { ...hiddenFields(form), amount: '1', button: 'take' };
  for (const message of [/Quantity is now 9 \(was 10\)\./, /carried out when you first sent it/])
    assert.match(bodyText(await member.follow(await member.post(PATH, fields))), message);
  assert.equal(await quantity(), 9);
});

testOnEngines(
  'concurrent changes of a quantity add up, also during an edit of the item',
  async (t) => {
    const { application, send, quantity, events } = await openItem(t, 100);
    const bo = await createMember(application, 'bo');
    const forms = Array.from({ length: 40 }, (_, index) => ({
      amount: String((index % 3) + 1),
      button: index % 2 === 0 ? 'take' : 'add',
    }));
    const edit = bo.submit('/items/1/edit', { name: 'Stool', quantity: '100' });
    const answers = await Promise.all(
      forms.map((fields, index) => (index % 4 === 0 ? send(fields, bo) : send(fields))),
    );
    await edit;
    assert.ok(answers.every(({ status }) => status === 303));
    const sum = (await events()).reduce((left, { changes }) => {
      const [from, to] = changes.quantity ?? [0, 0];
      return left + to - from;
    }, 100);
    assert.equal(await quantity(), sum);
    assert.equal((await events()).filter(({ kind }) => kind === 'counted').length, 40);
  },
);

test('a form for a missing item returns what was typed', async (t) => {
  const { member } = await openItem(t);
  assert.equal((await member.get('/items/7/quantity')).status, 404);
  const missing = await member.post('/items/7/quantity', { amount: '3', reason: 'for the fair' });
  assert.equal(missing.status, 404);
  assert.match(bodyText(missing), /<dd>for the fair<\/dd>/);
});
