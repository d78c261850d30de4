/** Parts of a quantity, lent to several people, through the real router: never more than there is. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
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
  openAnother,
  openTestDatabase,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { lentOf } from '../loan.ts';

const LEND = '/items/1/lend';
const CABLE = { name: 'Cable', quantity: 12, location: 'Office', tags: [] };

/** The day is 20 November 2026. */
async function openCables(t: TestContext) {
  const database = await openTestDatabase(t);
  const clock = createClock();
  const application = await createTestApplication(t, { database, now: clock.now });
  await addItem(database, CABLE);
  const { history, items } = application.models;
  const member = await createMember(application);
  const read = async (path = '/items/1', visitor = member) => bodyText(await visitor.get(path));
  const loans = async () =>
    ((await items.find(1))?.loans ?? []).map(({ to, quantity }) => `${quantity} ${to}`);
  /** The time by which a form names the loan of the person. */
  const lentTo = async (to: string) =>
    (await items.find(1))?.loans.find((loan) => loan.to === to)?.at ?? '';
  const event = async (kind: string) =>
    (await history.ofItem(1, 100)).events.find(
      (one) => one.kind === kind && one.undoes === null && one.undoneBy === null,
    );
  return {
    ...{ application, database, clock, member, items, history, read, loans, lentTo },
    lend: (quantity: string, to: string, until = '') => member.post(LEND, { quantity, to, until }),
    giveBack: async (to: string, quantity?: string) => {
      const fields: TypedFields = { lent: await lentTo(to) };
      return member.post(
        '/items/1/return',
        quantity === undefined ? fields : { ...fields, part: quantity },
      );
    },
    undo: async (kind: string) =>
      member.post(`/items/1/history/${(await event(kind))?.id ?? 0}/undo`),
    shown: async (answer: Response) => bodyText(await member.follow(answer)),
  };
}

testOnEngines('parts are lent to several people, and come back in parts', async (t) => {
  const { application, read, loans, lend, giveBack, shown } = await openCables(t);
  assert.match(await read(LEND), /12 of 12 are here\..*name="quantity" value="1"/s);
  const lent = await shown(await lend('3', 'Bo', '2026-12-11'));
  assert.match(lent, /Lent 3 to Bo, until 11 Dec 2026\./);
  assert.match(lent, /<strong>Bo<\/strong> has 3 until <time[^>]*>11 Dec</);
  assert.match(lent, /3 of 12 lent until/);
  assert.match(lent, /<strong>ada<\/strong> lent 3 to Bo, until 11 Dec 2026</);
  await lend('4', 'Cy', '2026-12-04');
  await lend('1', 'Bo');
  assert.deepEqual(await loans(), ['3 Bo', '4 Cy', '1 Bo']);
  assert.match(await read(), />Lend<\/a>/, 'four are here');
  const mark =
    /8 of 12 lent until <time[^>]*>4 Dec<\/time><\/span> <span class="borrower">Bo and Cy</;
  for (const path of ['/items', '/items/select']) assert.match(await read(path), mark, path);
  assert.match(await read('/items/print'), /8 of 12 lent to Bo and Cy</);
  assert.doesNotMatch(await read('/items', createVisitor(application)), /Bo and Cy/);

  const part = await shown(await giveBack('Cy', '3'));
  assert.match(part, /Cy returned 3 of 4 of “Cable”\./);
  assert.match(part, /<strong>ada<\/strong> marked 3 of 4 as returned by Cy</);
  assert.deepEqual(await loans(), ['3 Bo', '1 Cy', '1 Bo']);
  assert.match(await shown(await giveBack('Bo')), /Bo returned 3 of “Cable”\./, 'the first loan');
  assert.deepEqual(await loans(), ['1 Cy', '1 Bo']);
  await lend('2', 'Cy', '2026-12-11');
  const held = await read('/items/held');
  assert.match(held, /<h1>Who has what <span class="count">1 item<.*Bo<.*Cy<.*2 of them, until/s);
});

test('more than are here is refused with who has how many, and keeps what was typed', async (t) => {
  const { member, lend, loans, read } = await openCables(t);
  const refuse = async (quantity: string, status: number, message: string) => {
    const answer = await member.post(LEND, { quantity, to: 'Di' });
    assert.equal(answer.status, status);
    const page = bodyText(answer);
    assert.ok(page.includes(`<a href="#quantity">${message}</a>`), message);
    assert.match(
      page,
      new RegExp(`name="to" value="Di".*name="quantity" value="${quantity}"`, 's'),
    );
  };
  await refuse('13', 409, 'Only 12 are here');
  await refuse('0', 400, 'How many must be between 1 and 1,000,000');
  await lend('5', 'Bo', '2026-12-11');
  await refuse('8', 409, 'Only 7 are here: 5 are lent to Bo, until 11 Dec 2026');
  await lend('4', 'Cy');
  await refuse('4', 409, 'Only 3 are here: 9 are lent to Bo and Cy');
  await lend('3', 'Bo');
  await refuse('1', 409, 'None is here: 12 are lent to Bo and Cy');
  assert.match(await read(LEND), /None is here: 12 are lent to Bo and Cy\./);
  assert.doesNotMatch(await read(LEND), /<button>Lend/);
  assert.deepEqual(await loans(), ['5 Bo', '4 Cy', '3 Bo']);
});

testOnEngines(
  'of parts that two instances lend at once, no more are out than there are',
  async (t) => {
    const { database, clock, items, member } = await openCables(t);
    // With one clock: sessions that have expired are removed.
    const again = await openAnother(t, database);
    const other = await createTestApplication(t, { database: again, now: clock.now });
    const cy = await createMember(other, 'cy');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? member : cy).post(LEND, {
          quantity: `${1 + (at % 3)}`,
          to: `Person ${at}`,
        }),
      ),
    );
    const lent = answers.filter(({ status }) => status === 303).length;
    assert.ok(answers.every(({ status }) => status === 303 || status === 409));
    const { loans = [] } = (await items.find(1)) ?? {};
    assert.equal(loans.length, lent, 'each has its loan');
    assert.equal(new Set(loans.map(({ at }) => at)).size, lent, 'and its time');
    assert.equal(lentOf(loans), 12);

    // What is taken and what is lent come from the same quantity.
    for (const { at } of loans) await member.post('/items/1/return', { lent: at });
    const both = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? member.post(LEND, { quantity: '1', to: `Person ${at}` })
          : cy.post('/items/1/quantity', { amount: '1', button: 'take' }),
      ),
    );
    assert.equal(both.filter(({ status }) => status === 303).length, 12);
    const { quantity = 0, loans: now = [] } = (await items.find(1)) ?? {};
    assert.equal(lentOf(now), quantity);
  },
);

test('fewer come back than somebody has, and an old page ends no later loan', async (t) => {
  const { member, lend, giveBack, loans, lentTo, read } = await openCables(t);
  await lend('3', 'Bo');
  const lent = await lentTo('Bo');
  const page = await read();
  assert.match(page, /<input id="loan-1-part" name="part"[^>]*value="3">/);
  const form = hiddenFields(formIn(page, '/return'));
  for (const [quantity, status, message] of [
    ['4', 409, /Bo has only 3</],
    ['0', 400, /How many must be between 1/],
  ] as const) {
    const refused = await member.post('/items/1/return', { lent, part: quantity });
    assert.equal(refused.status, status);
    assert.match(bodyText(refused), message);
    assert.match(bodyText(refused), new RegExp(`name="part" value="${quantity}"`));
  }
  await giveBack('Bo', '2');
  const sent = await Promise.all(
    Array.from({ length: 5 }, () => member.post('/items/1/return', { ...form, part: '3' })),
  );
  assert.ok(sent.every(({ status }) => status === 409));
  assert.deepEqual(await loans(), ['1 Bo']);
  await giveBack('Bo');
  await lend('2', 'Bo');
  const old = await member.post('/items/1/return', { lent });
  assert.equal(old.status, 409);
  assert.match(bodyText(old), /Cable was returned already.*2 are lent to Bo now\./s);
  assert.deepEqual(await loans(), ['2 Bo']);
});

testOnEngines('each loan is undone by itself, and no undo lends what is not here', async (t) => {
  const { lend, giveBack, loans, undo } = await openCables(t);
  await lend('5', 'Bo');
  await lend('4', 'Cy');
  await giveBack('Bo', '2');
  assert.deepEqual(await loans(), ['3 Bo', '4 Cy']);
  assert.equal((await undo('lent')).status, 303);
  assert.deepEqual(await loans(), ['3 Bo'], 'whatever Bo has returned since');
  const early = await undo('lent');
  assert.equal(early.status, 409, 'two of these came back');
  assert.equal((await undo('returned')).status, 303);
  assert.deepEqual(await loans(), ['5 Bo']);
  await giveBack('Bo');
  await lend('8', 'Di');
  const refused = await undo('returned');
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /More would be lent than there is\. 8 are lent to Di/);
  assert.deepEqual(await loans(), ['8 Di']);
});

testOnEngines('no door makes the quantity lower than what is lent', async (t) => {
  const { member, items, lend, undo } = await openCables(t);
  await member.post('/items/1/quantity', { amount: '6', button: 'add' });
  await lend('14', 'Bo');
  assert.equal((await undo('counted')).status, 409, 'undo');
  const edit = await member.submit('/items/1/edit', { name: 'Cable, 3 m', quantity: '13' });
  assert.equal(edit.status, 409, 'edit');
  assert.match(bodyText(edit), /<a href="#quantity">14 are lent to Bo: return them first</);
  assert.match(bodyText(edit), /name="name" value="Cable, 3 m"/);
  const counted = { number: '1', was: '18', counted: '3', choice: 'counted' };
  const { loans: [loan] = [] } = (await items.find(1)) ?? {};
  const seen = `18 14 ${loan?.at}`;
  const rows = Object.entries({ ...counted, seen }).map(([key, text]) => [`items.0.${key}`, text]);
  const stored = await member.post('/items/count/differences', Object.fromEntries(rows));
  assert.match(bodyText(await member.follow(stored)), /more are lent/, 'count');
  assert.equal((await items.find(1))?.quantity, 18);
  assert.equal(
    (await member.submit('/items/1/edit', { name: 'Cable', quantity: '14' })).status,
    303,
  );
});

testOnEngines('a deleted item comes back with its loans', async (t) => {
  const { database, member, items, lend, read } = await openCables(t);
  await lend('3', 'Bo', '2026-12-11');
  await lend('2', 'Cy');
  const { loans } = (await items.find(1)) ?? {};
  await member.post('/items/1/delete');
  assert.match(await read('/items/held'), /Nothing is lent/);
  await member.post('/items/1/restore');
  assert.deepEqual((await items.find(1))?.loans, loans);
  const row = await database.read.selectFrom('items').select(['lent', 'due']).executeTakeFirst();
  assert.deepEqual({ ...row }, { lent: 5, due: '2026-12-11' });
});

testOnEngines('several are returned for one person, or for all', async (t) => {
  const { application, member, lend, loans, read, shown } = await openCables(t);
  await addItem(application.database, { ...CABLE, name: 'Adapter' });
  await lend('3', 'Bo');
  await lend('2', 'Cy');
  await member.post('/items/2/lend', { quantity: '4', to: 'Bo' });
  const [, link = ''] = /<a href="([^"]*)" aria-describedby="holder-\d">Return all or some/.exec(
    await read('/items/held'),
  ) ?? ['', ''];
  const several = await read(link.replaceAll('&amp;', '&'));
  assert.match(several, /Cable[\s\S]*3 to Bo[\s\S]*Adapter[\s\S]*4 to Bo/);
  assert.doesNotMatch(several, /Cy/);
  const returned = await shown(
    await member.submit('/items/select', { row_0: '1', row_1: '2', to: 'bo', button: 'return' }),
  );
  assert.match(returned, /Marked 2 items as returned by Bo\./);
  assert.deepEqual(await loans(), ['2 Cy']);
  const form = formIn(returned, '/undo');
  const [, path = ''] = /action="([^"]*)"/.exec(form) ?? [];
  await member.post(path, hiddenFields(form));
  assert.deepEqual(await loans(), ['3 Bo', '2 Cy']);
  await member.submit('/items/select', { row_0: '1', row_1: '2', button: 'return' });
  assert.deepEqual(await loans(), []);
});

test('a name is spelled as it was at first', async (t) => {
  const { lend, loans, read, giveBack } = await openCables(t);
  await lend('1', 'Özlem');
  await giveBack('Özlem');
  await lend('2', 'özLEM');
  assert.deepEqual(await loans(), ['2 Özlem']);
  assert.match(await read('/items?q=%C3%B6zlem'), /1 item matches/);
});

test('a redirect after a part leads back to who has what', async (t) => {
  const { member, lend, lentTo } = await openCables(t);
  await lend('3', 'Bo');
  const answer = await member.post('/items/1/return?held=', {
    lent: await lentTo('Bo'),
    part: '1',
  });
  assert.equal(headerOf(answer, 'Location'), '/items/held');
});
