import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { bodyText, createVisitor, hiddenFields, type TypedFields } from 'seeother/testing';
import { createClock } from '../../testing/create-clock.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: 'Office', tags: [] };
const LEND = '/items/1/lend';
const BO = { to: 'Bo', until: '' };

/** The day is 20 November 2026. */
async function openItem(t: TestContext) {
  const database = await openTestDatabase(t);
  const clock = createClock();
  const application = await createTestApplication(t, { database, now: clock.now });
  await addItem(database, DRILL);
  const { history, items } = application.models;
  const member = await createMember(application);
  const read = async (path = '/items/1', visitor = member) => bodyText(await visitor.get(path));
  const returnForm = async () => hiddenFields(formIn(await read(), '/return'));
  const undo = async (kind: string) => {
    const { events } = await history.ofItem(1, 100);
    const event = events.find((one) => one.kind === kind && one.undoneBy === null);
    return member.post(`/items/1/history/${event?.id}/undo`);
  };
  return {
    ...{ application, member, clock, read, returnForm, undo },
    loan: async () => (await items.find(1))?.loans[0] ?? null,
    events: async () => (await history.ofItem(1, 1_000)).events,
    lend: (fields: TypedFields = BO, visitor = member) => visitor.submit(LEND, fields),
    giveBack: async () => member.post('/items/1/return', await returnForm()),
  };
}

repeatOnEngines('an item is lent and returned, and its history shows both', async (t) => {
  const { application, member, lend, giveBack, loan, read, events } = await openItem(t);
  const lent = await lend({ to: ' Grace from next door ', until: '2026-12-03' });
  assert.equal(headerOf(lent, 'Location'), '/items/1');
  const shown = bodyText(await member.follow(lent));
  assert.match(shown, /Lent to Grace from next door, until 3 Dec 2026\./);
  assert.match(
    shown,
    /<strong>Grace from next door<\/strong> has it until <time datetime="2026-12-03">3 Dec</,
  );
  assert.match(shown, /<strong>ada<\/strong> lent it to Grace from next door, until 3 Dec 2026</);
  assert.doesNotMatch(shown, /Overdue|>Lend<\/a>/);
  assert.match(
    await read('/items'),
    / <span class="state">Lent until <time[^>]*>3 Dec<\/time><\/span> <span class="borrower">Grace from/,
  );
  assert.match(await read('/items?show=lent'), />Lent <span class="count">1</);
  const visitor = createVisitor(application);
  const open = await read('/items/1', visitor);
  assert.match(open, /It is <strong>lent<\/strong> until <time/);
  assert.doesNotMatch(open, /Return<\/button>/);

  const returned = bodyText(await member.follow(await giveBack()));
  assert.match(returned, /Grace from next door returned “Drill”\./);
  assert.match(returned, /<strong>ada<\/strong> marked it as returned by Grace from next door</);
  assert.match(returned, />Lend<\/a>/);
  assert.equal(await loan(), null);
  assert.match(await read('/items'), /<td class="location">Office<\/td>/);
  assert.match(await read('/items?show=lent'), /Nothing is lent/);
  assert.deepEqual(
    (await events()).map(({ kind, by, version }) => ({ kind, by, version })),
    [
      { kind: 'returned', by: 'ada', version: 3 },
      { kind: 'lent', by: 'ada', version: 2 },
    ],
  );
});

repeatOnEngines(
  'a page says who has what, the overdue first, and each can be returned',
  async (t) => {
    const { application, member, lend, read, clock } = await openItem(t);
    for (let count = 0; count < 3; count++) await addItem(application.database, DRILL);
    await lend({ to: 'ada', until: '2026-12-03' });
    await member.submit('/items/2/lend', { to: 'Özlem' });
    await member.submit('/items/3/lend', { to: 'özlem', until: '2026-11-20' });
    clock.pass(86_400);
    const later = await createMember(application);
    const rows = (page: string) =>
      [...page.matchAll(/<h2.*?>(?:<a[^>]*>)(.*?)<|id="held-(\d)-/g)].map(
        ([, who, row]) => who ?? row,
      );
    const page = await read('/items/held', later);
    assert.deepEqual(rows(page), ['Özlem', '3', '2', 'ada', '1']);
    assert.match(page, /Overdue<\/span> <a id="held-3-.*?It was due on <time[^>]*>20 Nov</s);
    assert.deepEqual(rows(await read('/items/held?to=%C3%96ZLEM', later)), ['Özlem', '3', '2']);
    assert.match(await read('/items/held?to=Cy', later), /Cy has nothing/);
    const shown = await read('/items/held', createVisitor(application));
    assert.doesNotMatch(shown, /<button[^>]*>Return/);
    assert.deepEqual(rows(shown), ['3', '1', '2'], 'not by who has it');
    const form = formIn(page, '/items/3/return');
    const back = await later.post('/items/3/return?held=', hiddenFields(form));
    assert.equal(headerOf(back, 'Location'), '/items/held');
    assert.deepEqual(rows(bodyText(await later.follow(back))), ['ada', '1', 'Özlem', '2']);
  },
);

test('an overdue loan is marked in words on the item and in the list', async (t) => {
  const { application, lend, read: readAs, clock } = await openItem(t);
  await lend({ to: 'Bo', until: '2026-11-20' });
  let read = readAs;
  assert.doesNotMatch(await read(), /Overdue/, 'not on the day itself');
  assert.match(await read('/items?show=overdue'), /Nothing is overdue/);
  clock.pass(13 * 3600);
  const later = await createMember(application);
  read = (path) => readAs(path, later);
  assert.match(await read(), /<strong>Bo<\/strong> has it\. It was due on <time[^>]*>20 Nov</);
  assert.match(
    await read(),
    /<span class="state urgent">Overdue since.*<div class="loan overdue">/s,
  );
  assert.match(
    await read('/items'),
    / <span class="state urgent">Overdue since <time[^>]*>20 Nov<\/time><\/span> <span class="borrower">Bo<\/span>/,
  );
  assert.match(await read('/items?show=overdue'), />Overdue <span class="count urgent">1</);
});

test('names of the team are suggested, and stored as they are written there', async (t) => {
  const { application, lend, loan, read } = await openItem(t);
  await createMember(application, 'Bo');
  await createMember(application, 'Zoe');
  const zoe = await application.models.people.findByName('zoe');
  await application.database.write((transaction) =>
    transaction
      .updateTable('accounts')
      .set({ disabled_at: '2026-11-01T00:00:00.000Z' })
      .where('id', '=', zoe?.id ?? 0)
      .execute(),
  );
  const form = await read(LEND);
  assert.match(form, /list="people"/);
  assert.deepEqual(
    [...form.matchAll(/<option value="([^"]*)"><\/option>/g)].map(([, name]) => name),
    ['ada', 'Bo'],
    'not of who was removed',
  );
  await lend({ to: 'bO' });
  assert.equal((await loan())?.to, 'Bo');
});

test('a form that cannot be carried out says why, and keeps what was typed', async (t) => {
  const { lend, loan, events } = await openItem(t);
  const cases = [
    [{ to: ' ' }, /Enter who has it/],
    [{ to: 'x'.repeat(121) }, /Who has it must be 120 characters or less/],
    [{ to: 'Bo', until: 'soon' }, /Until must be a date, like /],
    [{ to: 'Bo', until: '2026-02-31' }, /Until must be a real date/],
    [{ to: 'Bo', until: '2026-11-19' }, /Choose today or a later day/],
  ] as const;
  for (const [fields, message] of cases) {
    const answer = await lend(fields);
    assert.equal(answer.status, 400);
    assert.match(bodyText(answer), message);
    assert.ok(bodyText(answer).includes(`value="${fields.to.trim()}`));
  }
  assert.equal(await loan(), null);
  assert.equal((await events()).length, 0);
  assert.equal((await lend({ to: 'Bo', until: '2026-11-20' })).status, 303, 'today');
});

testOnEngines(
  'of users who lend an item at once, one succeeds, and the others get a 409 that names the borrower',
  async (t) => {
    const { application, member, loan, events } = await openItem(t);
    const other = await createMember(application, 'cy');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const visitor = index % 2 === 0 ? member : other;
        return visitor.post(LEND, { to: `Person ${index}` });
      }),
    );
    const done = answers.filter(({ status }) => status === 303);
    assert.equal(done.length, 1);
    const to = (await loan())?.to ?? '';
    for (const answer of answers.filter(({ status }) => status !== 303)) {
      assert.equal(answer.status, 409);
      assert.ok(bodyText(answer).includes(`>${to} has it: return it first<`));
      assert.match(bodyText(answer), /name="to" value="Person \d"/);
    }
    assert.equal((await events()).length, 1);
    const shown = bodyText(await member.get(LEND));
    assert.doesNotMatch(shown, /<button>Lend/);
    const returned = await member.post('/items/1/return', hiddenFields(formIn(shown, '/return')));
    assert.equal(returned.status, 303, 'the box that says who has it has its button');
  },
);

test('a second loan gets an error that says who has it, and until when', async (t) => {
  const { member, lend, giveBack } = await openItem(t);
  await lend({ to: 'Bo', until: '2026-12-03' });
  const until = await member.post(LEND, { to: 'Cy' });
  assert.match(bodyText(until), />Bo, until 3 Dec 2026, has it: return it first</);
  await giveBack();
  await lend({ to: 'Bo' });
  assert.match(bodyText(await member.post(LEND, { to: 'Cy' })), />Bo has it: return it first</);
});

testOnEngines('a form that is sent again counts once', async (t) => {
  const { member, giveBack, returnForm, loan, events } = await openItem(t);
  const fields = { ...hiddenFields(formIn(bodyText(await member.get(LEND)), 'lend')), ...BO };
  const sendAll = (path: string, sent: TypedFields) =>
    Promise.all(Array.from({ length: 20 }, () => member.post(path, sent)));
  assert.ok((await sendAll(LEND, fields)).every(({ status }) => status === 303));
  assert.equal((await loan())?.to, 'Bo');
  const back = await returnForm();
  assert.ok((await sendAll('/items/1/return', back)).every(({ status }) => status === 303));
  assert.equal(await loan(), null);
  assert.equal((await events()).length, 2);
  await member.submit(LEND, { to: 'Cy' });
  assert.ok((await sendAll('/items/1/return', back)).every(({ status }) => status === 303));
  assert.equal((await loan())?.to, 'Cy', 'the form of before is answered, and done no more');
  await giveBack();
  assert.equal(await loan(), null);
});

test('a return from an old page does not end a later loan', async (t) => {
  const { member, lend, giveBack, returnForm, loan } = await openItem(t);
  await lend();
  const { lent = '' } = await returnForm();
  await giveBack();
  const twice = await member.post('/items/1/return', { lent });
  assert.equal(twice.status, 409);
  assert.match(bodyText(twice), /Drill was returned already.*Nobody has it now/s);
  await lend({ to: 'Cy' });
  const late = await member.post('/items/1/return', { lent });
  assert.equal(late.status, 409);
  assert.match(bodyText(late), /It is lent to Cy now\. Nothing was changed\./);
  assert.equal((await member.post('/items/1/return', {})).status, 409);
  assert.equal((await loan())?.to, 'Cy');
});

repeatOnEngines('loans and returns are undone one by one, and not after a later one', async (t) => {
  const { member, lend, giveBack, undo, loan, events } = await openItem(t);
  await lend({ to: 'Bo', until: '2026-12-03' });
  const first = await loan();
  await giveBack();
  const refused = await undo('lent');
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /Lent to, by ada/);
  const back = bodyText(await member.follow(await undo('returned')));
  assert.match(back, /undid a change/);
  assert.match(back, /Lent to: <del>–<\/del> → <ins>Bo, until 3 Dec 2026<\/ins>/);
  assert.deepEqual(await loan(), first);
  assert.equal((await undo('lent')).status, 303);
  assert.equal(await loan(), null);
  assert.equal((await events()).length, 4);
});

repeatOnEngines('a deleted item comes back with its loan', async (t) => {
  const { member, lend, loan, read, undo } = await openItem(t);
  await lend({ to: 'Bo', until: '2026-12-03' });
  const before = await loan();
  await member.post('/items/1/delete');
  assert.match(await read('/items?show=lent'), /Nothing/);
  await member.post('/items/1/restore');
  assert.deepEqual(await loan(), before);
  assert.equal((await undo('lent')).status, 303, 'and its loan can still be undone');
  assert.equal(await loan(), null);
  const missing = await member.post('/items/7/lend', { to: 'Bo' });
  assert.equal(missing.status, 404);
  assert.match(bodyText(missing), /<dd>Bo<\/dd>/);
  assert.equal((await member.post('/items/7/return')).status, 404);
  assert.equal((await member.get('/items/7/lend')).status, 404);
});

repeatOnEngines('a loan does not conflict with an edit or a change of the quantity', async (t) => {
  const { application, member, lend, giveBack, loan } = await openItem(t);
  const cy = await createMember(application, 'cy');
  const form = hiddenFields(bodyText(await cy.get('/items/1/edit')));
  await lend();
  const edit = (name: string) => cy.post('/items/1/edit', { ...form, name, quantity: '10' });
  assert.equal((await edit('Hammer drill')).status, 303);
  assert.equal((await loan())?.to, 'Bo', 'and the edit leaves the loan');
  await giveBack();
  const conflict = await edit('Old drill');
  assert.equal(conflict.status, 409, 'an edit is one, before and after a loan');
  await lend({ to: 'Di' });
  const counted = formIn(bodyText(await member.get('/items/1')), 'quantity');
  await member.post('/items/1/quantity', { ...hiddenFields(counted), amount: '1', button: 'add' });
  assert.equal((await loan())?.to, 'Di');
  assert.equal((await application.models.items.find(1))?.quantity, 11);
});
