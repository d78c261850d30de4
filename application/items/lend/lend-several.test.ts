/** Several ticked items: lent to one person and returned at once, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields, type TypedFields } from 'seeother/testing';
import { createPeople } from '../../accounts/people.ts';
import { createClock } from '../../testing/create-clock.ts';
import { createMember, createTestApplication } from '../../testing/create-test-application.ts';
import { explainQueries } from '../../testing/explain-queries.ts';
import { fillHistory } from '../../testing/fill-history.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { formIn } from '../../testing/form-in.ts';
import { listBatches, listEvents } from '../../testing/list-events.ts';
import {
  addItem,
  openAnother,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { createItems } from '../item.ts';
import { removeOldValue } from '../remove/remove-values.ts';
import { createBorrowers } from './borrowers.ts';

const SELECT = '/items/select';

/** The first three of the six items, as their page ticks them. */
const THREE = { row_5: '1', row_4: '2', row_3: '3' };

/** The day is 20 November 2026. */
async function openItems(t: TestContext) {
  const database = await openTestDatabase(t);
  const clock = createClock();
  const application = await createTestApplication(t, { database, now: clock.now });
  for (const name of ['Drill', 'Saw', 'Lamp', 'Level', 'Plane', 'File'])
    await addItem(database, { name, quantity: 1, location: 'Office', tags: [] });
  const member = await createMember(application);
  const { items } = application.models;
  const read = async (path: string, visitor = member) => bodyText(await visitor.get(path));
  const loans = async () =>
    (await items.list(1, { order: 'oldest' })).items.map(({ loans }) => loans[0]?.to ?? null);
  /** The message after the form. */
  const send = async (fields: TypedFields, visitor = member) =>
    bodyText(await visitor.follow(await visitor.submit(SELECT, { ...fields })));
  const lend = (fields: TypedFields = {}) =>
    send({ ...THREE, to: 'Grace', button: 'lend', ...fields });
  const undo = async (page: string) => {
    const form = formIn(page, '/undo');
    const [, path = ''] = /action="([^"]*)"/.exec(form) ?? [];
    return bodyText(await member.follow(await member.post(path, hiddenFields(form))));
  };
  return { application, database, clock, member, items, read, loans, send, lend, undo };
}

repeatOnEngines(
  'ticked items are lent at once and returned at once, each with one Undo',
  async (t) => {
    const { application, database, member, read, loans, lend, send, undo } = await openItems(t);
    const lent = await lend({ until: '2026-12-11' });
    assert.match(lent, /Lent 3 items to Grace, until 11 Dec 2026\./);
    assert.deepEqual(await loans(), ['Grace', 'Grace', 'Grace', null, null, null]);
    const events = await listEvents(database);
    assert.deepEqual(
      events.map(({ number, kind, by, batch }) => [number, kind, by, batch]),
      [
        [3, 'lent', 'ada', 1],
        [2, 'lent', 'ada', 1],
        [1, 'lent', 'ada', 1],
      ],
    );
    assert.match(
      await read('/items/1/history'),
      /lent it to Grace, until 11 Dec 2026<.*with other/s,
    );
    const history = await read('/items/history?kind=lent');
    assert.match(history, /lent 3 items to Grace, until 11 Dec 2026/);
    assert.match(
      await read('/items'),
      /Lent until <time datetime="2026-12-11">11 Dec<\/time><\/span> <span class="borrower">Grace/,
    );
    assert.match(
      await read(SELECT),
      /Lent until <time datetime="2026-12-11">11 Dec<\/time><\/span> <span class="borrower">Grace/,
    );

    const returned = await send({ ...THREE, row_0: '6', button: 'return' });
    assert.match(returned, /Marked 3 items as returned\. “File” is not lent\./);
    assert.deepEqual(await loans(), [null, null, null, null, null, null]);
    assert.match(await undo(returned), /3 changes were undone/);
    assert.deepEqual(await loans(), ['Grace', 'Grace', 'Grace', null, null, null]);

    const one = formIn(await read('/items/1'), '/return');
    await member.post('/items/1/return', hiddenFields(one));
    await member.submit('/items/1/lend', { to: 'Cy' });
    const undone = await undo(await read('/items/history/batches/1'));
    assert.match(undone, /2 changes were undone/);
    assert.match(undone, /lent to was changed again since/, 'that Cy has it now');
    assert.deepEqual(await loans(), ['Cy', null, null, null, null, null]);
    assert.equal((await listBatches(application.database)).length, 4);
  },
);

repeatOnEngines('what somebody has is named, and stops nothing else', async (t) => {
  const { member, lend, loans } = await openItems(t);
  await member.submit('/items/1/lend', { to: 'Bo', until: '2026-12-03' });
  await member.post('/items/2/delete');
  const some = await lend();
  assert.match(some, /Lent 1 item to Grace\. “Drill” is lent already, to Bo, until 3 Dec 2026\./);
  assert.match(some, /No\. 2 was deleted meanwhile\./);
  const none = await lend();
  assert.match(none, /Nothing was changed\. “Drill” and “Lamp” are lent already\./);
  assert.deepEqual(await loans(), ['Bo', 'Grace', null, null, null]);
});

testOnEngines('on two instances, no item is lent twice at once', async (t) => {
  const { application, database, clock, member, loans } = await openItems(t);
  // With one clock: sessions that have expired are removed.
  const again = await openAnother(t, database);
  const other = await createTestApplication(t, { database: again, now: clock.now });
  const rows = { row_0: '6', row_1: '5', row_2: '4', ...THREE };
  const [cy, di] = [await createMember(application, 'cy'), await createMember(other, 'di')];
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, at) => {
      const ticked = Object.entries(rows).slice(at % 3, (at % 3) + 4);
      const fields = { ...Object.fromEntries(ticked), to: `Person ${at}`, button: 'lend' };
      return [member, cy, di][at % 3]?.submit(SELECT, fields);
    }),
  );
  assert.ok(sent.every((answer) => answer?.status === 303));
  const events = await listEvents(database);
  assert.equal(events.filter(({ kind }) => kind === 'lent').length, 6, 'one for each item');
  const lent = events.map(({ number, changes }) => [number, changes.loans?.[1][0]?.to]);
  assert.deepEqual(
    lent.toSorted().map(([, to]) => to),
    await loans(),
  );
});

repeatOnEngines('a form that is sent again lends once', async (t) => {
  const { member, read, loans, database } = await openItems(t);
  const form = { ...hiddenFields(formIn(await read(SELECT), SELECT)), ...THREE };
  const sent = { ...form, to: 'Grace', button: 'lend' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => member.post(SELECT, sent)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.deepEqual(await loans(), ['Grace', 'Grace', 'Grace', null, null, null]);
  assert.equal((await listBatches(database)).length, 1);
});

test('a return from an old page does not end a later loan', async (t) => {
  const { member, read, lend, loans, send } = await openItems(t);
  await lend();
  const old = formIn(await read(SELECT), SELECT);
  const [, path = ''] = /action="([^"]*)"/.exec(old) ?? [];
  await send({ row_5: '1', button: 'return' });
  await member.submit('/items/1/lend', { to: 'Cy' });
  const fields = { ...hiddenFields(old), ...THREE, button: 'return' };
  const answer = await member.post(path.replaceAll('&amp;', '&'), fields);
  const shown = bodyText(await member.follow(answer));
  assert.match(shown, /Marked 2 items as returned\. “Drill” was lent again meanwhile\./);
  assert.deepEqual(await loans(), ['Cy', null, null, null, null, null]);
});

test('a form without a borrower, or with a wrong day, comes back as it was', async (t) => {
  const { member, loans } = await openItems(t);
  const cases = [
    [{ to: ' ' }, 'to', 'Enter who has it'],
    [{ to: 'Bo', until: '2026-11-19' }, 'until', 'Choose today or a later day'],
    [
      { to: 'Bo', term: 'week', until: '2026-12-11' },
      'until',
      'Choose for how long, or a day, and not both',
    ],
    [
      { to: 'Bo', term: 'year' },
      'term',
      'Choose “For how long” again: what you chose is no longer available',
    ],
  ] as const;
  for (const path of [SELECT, '/items/1/lend'])
    for (const [fields, field, message] of cases) {
      const rows = path === SELECT ? { ...THREE, button: 'lend' } : {};
      const answer = await member.submit(path, { ...rows, ...fields });
      assert.equal(answer.status, 400);
      const shown = bodyText(answer);
      assert.ok(shown.includes(`<a href="#${field}">${message}</a>`), message);
      assert.ok(shown.includes(`value="${fields.to.trim()}"`));
      if (path === SELECT) assert.match(shown, /name="row_5" value="1" checked/);
    }
  assert.ok((await loans()).every((to) => to === null));
});

test('a time to choose says until which day, and counts from the day of its page', async (t) => {
  const { application, items, member, read, clock } = await openItems(t);
  const days = (page: string) =>
    [...page.matchAll(/<option value="([^"]+)">[A-Z][a-z ]+, until ([^<]*)</g)].map(
      ([, term, day]) => `${term}: ${day}`,
    );
  const expected = ['week: 27 Nov', 'two weeks: 4 Dec', 'month: 20 Dec'];
  assert.deepEqual(days(await read('/items/1/lend')), expected);
  assert.deepEqual(days(await read(SELECT)), expected);
  const until = async (number: number) => (await items.find(number))?.loans[0]?.until;
  await member.submit('/items/1/lend', { to: 'Bo', term: 'week' });
  assert.equal(await until(1), '2026-11-27');
  await member.submit('/items/2/lend', { to: 'Bo', term: 'week', until: '2026-11-27' });
  assert.equal(await until(2), '2026-11-27', 'the same day twice is one day');

  const paths = await Promise.all(
    (['/items/3/lend', SELECT] as const).map(async (path) => {
      const [, action = ''] = /action="([^"]*send=[^"]*)"/.exec(await read(path)) ?? [];
      return action.replaceAll('&amp;', '&');
    }),
  );
  clock.pass(86_400 * 72);
  const later = await createMember(application);
  assert.deepEqual(days(await read('/items/3/lend', later)), [
    ...['week: 7 Feb', 'two weeks: 14 Feb', 'month: 28 Feb'],
  ]);
  clock.pass(-86_400 * 71);
  const tomorrow = await createMember(application);
  await tomorrow.post(paths[0] ?? '', { to: 'Bo', term: 'two weeks' });
  assert.equal(await until(3), '2026-12-04', 'as the page of yesterday said');
  const several = { ticked: '4-5', to: 'Bo', term: 'month', button: 'lend' };
  await tomorrow.post(paths[1] ?? '', several);
  assert.equal(await until(5), '2026-12-20');
  await tomorrow.post('/items/6/lend?day=2027-01-01', { to: 'Bo', term: 'week' });
  assert.equal(await until(6), '2026-11-28', 'no page is of a later day');
});

test('an old page whose chosen time is over says so', async (t) => {
  const { member, items } = await openItems(t);
  const answer = await member.post('/items/1/lend?day=2026-11-01', { to: 'Bo', term: 'week' });
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /<a href="#term">Choose today or a later day<\/a>/);
  assert.equal((await items.find(1))?.loans.length, 0);
});

repeatOnEngines('past borrowers are suggested, the last first, and then the team', async (t) => {
  const { application, member, read, lend, undo } = await openItems(t);
  await createMember(application, 'Bo');
  const names = async (path: string) => {
    const [, list = ''] = /<datalist id="people">(.*?)<\/datalist>/s.exec(await read(path)) ?? [];
    return [...list.matchAll(/value="([^"]*)"/g)].map(([, name]) => name);
  };
  assert.deepEqual(await names(SELECT), ['ada', 'Bo']);
  await lend({ to: 'Grace' });
  await member.submit('/items/4/lend', { to: 'Özlem' });
  await member.submit('/items/5/lend', { to: 'bO' });
  assert.deepEqual(await names(SELECT), ['Bo', 'Özlem', 'Grace', 'ada']);
  assert.deepEqual(await names('/items/6/lend'), ['Bo', 'Özlem', 'Grace', 'ada']);
  await undo(await read('/items/history/batches/1'));
  assert.deepEqual(await names(SELECT), ['Bo', 'Özlem', 'ada'], 'not of a loan that was undone');
  await application.database.write((transaction) =>
    transaction
      .updateTable('accounts')
      .set({ disabled_at: '2026-11-01T00:00:00.000Z' })
      .where('username_key', '=', 'bo')
      .execute(),
  );
  assert.deepEqual(await names(SELECT), ['Özlem', 'ada'], 'not of who was removed');
});

repeatOnEngines('a name that was removed for ever is suggested no more', async (t) => {
  const { application, member, read, lend, send } = await openItems(t);
  const { history } = application.models;
  await lend({ to: 'Grace Secret' });
  await member.submit('/items/4/lend', { to: 'Other Secret' });
  await send({ ...THREE, row_2: '4', button: 'return' });
  assert.match(await read(SELECT), /Other Secret.*Grace Secret/s);
  for (const number of [1, 2, 3, 4]) {
    const event = (await history.ofItem(number, 9)).events.find(({ kind }) => kind === 'returned');
    await application.database.write((transaction) =>
      removeOldValue(transaction, number, event?.id ?? 0, 'loans', 1),
    );
  }
  assert.doesNotMatch(await read(SELECT), /Secret/);
  assert.doesNotMatch(await read('/items/history'), /Secret/);
});

testOnEngines('to suggest borrowers, no query scans the events', async (t) => {
  const database = await openTestDatabase(t);
  await fillItems(database, 5_000);
  await fillHistory(database, 5_000);
  const explained = explainQueries(database);
  const people = createPeople(database);
  await createBorrowers(explained, people, createItems(database)).suggest();
  const steps = (await explained.takePlans()).flatMap((plan) => plan.steps);
  assert.match(steps.join('\n'), /item_events_by_kind/);
  assert.doesNotMatch(steps.join('\n'), /^SCAN item_events|Seq Scan on item_events/m);
});

test('what was typed to lend is kept over pages, and Enter leads to its button', async (t) => {
  const { member, read } = await openItems(t);
  const typed = { to: 'Grace', term: 'two weeks', until: '2026-12-04' };
  const sent = { ...typed, row_0: '6', q: '', list: '', step: 'search' };
  const answer = await member.get(`${SELECT}?${new URLSearchParams(sent)}`);
  const path = answer.headers['Location'] as string;
  assert.equal(path, `${SELECT}?ticked=6&who=Grace&term=two+weeks&until=2026-12-04#lend`);
  const page = await read(path.replace('#lend', ''));
  assert.match(page, /name="to" value="Grace"/);
  assert.match(page, /<option value="two weeks" selected>/);
  assert.match(page, /name="until" value="2026-12-04"/);
  assert.match(page, /<button id="lend"/);
});
