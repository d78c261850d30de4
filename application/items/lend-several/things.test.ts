/** Several things that are lent and returned at once, by their numbers, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, hiddenFields, type TypedFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { listBatches } from '../../testing/list-events.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { parseNumbers, readThings, writeThings } from '../lend/things.ts';

const THING = { description: '', location: 'Hall', tags: [] };

async function openThings(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const [name, quantity] of [
    ['Drill', 1],
    ['Radio', 12],
    ['Saw', 1],
  ] as const)
    await addItem(database, { ...THING, name, quantity });
  const ada = await createMember(application);
  const { items } = application.models;
  const loans = async () =>
    (await items.findMany([1, 2, 3])).map((item) =>
      item.loans.map(({ to, quantity }) => `${quantity} to ${to}`).join(', '),
    );
  return { application, database, ada, items, loans };
}

/** Types numbers on the page and presses Enter; resolves to the address of the page that follows. */
async function add(visitor: Visitor, path: string, numbers: string, typed: TypedFields = {}) {
  const form = formOf(bodyText(await visitor.get(path)));
  const sent = { ...fieldsOf(form), ...typed, numbers, step: 'add' };
  const [page = ''] = path.split('?');
  const answer = await visitor.get(
    `${page}?${new URLSearchParams(sent as Record<string, string>)}`,
  );
  assert.equal(answer.status, 303);
  return headerOf(answer, 'Location') ?? '';
}

async function send(visitor: Visitor, path: string, typed: TypedFields = {}) {
  const form = formOf(bodyText(await visitor.get(path)));
  return visitor.post(actionOf(form), { ...fieldsOf(form), ...typed });
}

function formOf(markup: string): string {
  return /<form class="form"[\s\S]*?<\/form>/.exec(markup)?.[0] ?? assert.fail(markup);
}

function actionOf(form: string): string {
  return (/action="([^"]*)"/.exec(form)?.[1] ?? '').replaceAll('&amp;', '&');
}

function fieldsOf(form: string) {
  const inputs = [...form.matchAll(/<input type="(?:text|number)"[^>]*>/g)].map(([input]) => [
    / name="([^"]*)"/.exec(input)?.[1] ?? '',
    / value="([^"]*)"/.exec(input)?.[1] ?? '',
  ]);
  return { ...hiddenFields(form), ...Object.fromEntries(inputs) };
}

test('numbers are read as they are typed, pasted and scanned', () => {
  assert.deepEqual(parseNumbers('3 17, #22;０４1\nhttps://things.example/items/9?q=a 3'), {
    ...{ numbers: [3, 17, 22, 41, 9], rest: '' },
  });
  assert.deepEqual(parseNumbers('drill 4 -2 1e3'), { numbers: [4], rest: 'drill -2 1e3' });
  const things = [
    { number: 3, quantity: '', loan: '' },
    { number: 17, quantity: '2', loan: '2026-11-20T12:00:00.123Z' },
  ];
  assert.deepEqual(readThings(writeThings(things)), things);
  assert.deepEqual(readThings('0.x.3__zzzzzzzzzzz'), [{ number: 3, quantity: '', loan: '' }]);
});

repeatOnEngines('things are added one after the other, lent at once, and undone', async (t) => {
  const { ada, loans, database } = await openThings(t);
  const first = await add(ada, '/items/lend?held=', '1', { to: 'Bo' });
  const second = await add(ada, first, '2 #3');
  assert.equal(second, '/items/lend?things=1_1.2.3&to=Bo&held=');
  const page = bodyText(await ada.get(second));
  for (const name of ['Drill', 'Radio', 'Saw']) assert.match(page, new RegExp(`<p>${name} <span`));
  assert.match(page, /id="numbers"[^>]* autofocus/);
  assert.match(page, /12 of 12 are here/);
  const removed = await ada.get(
    `${second.replace('lend?', 'lend?step=remove+0&things.0.number=1&')}`,
  );
  assert.doesNotMatch(headerOf(removed, 'Location') ?? '', /things=1/);
  const typed = { 'things.1.quantity': '4', term: 'week' };
  const form = formOf(page);
  const sends = [1, 2].map(() => ada.post(actionOf(form), { ...fieldsOf(form), ...typed }));
  const [sent] = await Promise.all(sends);
  assert.equal(sent?.status, 303);
  assert.equal(headerOf(sent, 'Location'), '/items/held');
  assert.deepEqual(await loans(), ['1 to Bo', '4 to Bo', '1 to Bo']);
  const list = bodyText(await ada.follow(sent));
  assert.match(list, /Lent 3 items to Bo, until/);
  assert.equal((await listBatches(database)).length, 1);
  const undo = formIn(list, '/undo');
  await ada.post(actionOf(undo), hiddenFields(undo));
  assert.deepEqual(await loans(), ['', '', '']);
});

repeatOnEngines('all are lent, or none: what is wrong stands beside its row', async (t) => {
  const { application, ada, loans } = await openThings(t);
  const bo = await createMember(application, 'bo');
  const path = await add(ada, '/items/lend', '1 2 99 3 spade', { to: 'Cy' });
  const page = bodyText(await ada.get(path));
  assert.match(page, /“spade” is no number/);
  assert.match(page, /No\. 99<[\s\S]*There is no item with this number, or it was deleted/);
  assert.match(bodyText(await ada.get(await add(ada, path, '2'))), /was in the list already/);
  const form = formOf(page);
  const fields = fieldsOf(form);
  await bo.submit('/items/1/lend', { to: 'Bo' });
  const typed = { 'things.1.quantity': '13', numbers: '' };
  const refused = await ada.post(actionOf(form), { ...fields, ...typed });
  assert.equal(refused.status, 409);
  const errors = bodyText(refused);
  assert.match(errors, /Drill: bo has it: return it first/i);
  assert.match(errors, /Radio: only 12 are here/);
  assert.match(errors, /No\. 99: there is no item/);
  assert.match(errors, /name="things\.1\.quantity"[^>]* value="13"/);
  assert.match(errors, /name="to"[^>]* value="Cy"/);
  assert.deepEqual(await loans(), ['1 to bo', '', '']);
  // Numbers that were not added yet are added, and not lent unseen.
  const unseen = await send(ada, '/items/lend?things=2', { numbers: '3', to: 'Cy' });
  assert.match(headerOf(unseen, 'Location') ?? '', /^\/items\/lend\?things=2_1\.3&to=Cy/);
  assert.equal((await send(ada, '/items/lend', { to: 'Cy' })).status, 400);
  assert.deepEqual(await loans(), ['1 to bo', '', '']);
});

testOnEngines(
  'of two people who lend the last ones at once, one is told who has them',
  async (t) => {
    const { application, ada, loans } = await openThings(t);
    const bo = await createMember(application, 'bo');
    const answers = await Promise.all(
      [ada, bo].map((user, at) =>
        send(user, '/items/lend?things=2.3', {
          to: ['Ada', 'Bo'][at] ?? '',
          'things.0.quantity': '7',
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
    const [, radio, saw] = await loans();
    assert.match(`${radio} ${saw}`, /^7 to (ada|bo) 1 to \1$/);
  },
);

repeatOnEngines(
  'things come back by their numbers, whoever has them, and land where one was',
  async (t) => {
    const { ada, loans } = await openThings(t);
    await send(ada, '/items/lend?things=1.2.3', { to: 'Bo', 'things.1.quantity': '4' });
    await send(ada, '/items/lend?things=2', { to: 'Cy', 'things.0.quantity': '2' });
    const held = bodyText(await ada.get('/items/held?to=bo'));
    const [, several = ''] = /<a href="([^"]*)"[^>]*>Return all or some/.exec(held) ?? [];
    const all = bodyText(await ada.get(several.replaceAll('&amp;', '&')));
    assert.equal([...all.matchAll(/>Remove</g)].length, 3);
    // Of the radios, two people have some.
    const path = await add(ada, '/items/return?held=', '1 2');
    const page = bodyText(await ada.get(path));
    assert.match(page, /Who returns it\?[\s\S]*4 to Bo[\s\S]*2 to Cy/);
    const refused = await send(ada, path);
    assert.equal(refused.status, 400);
    assert.match(bodyText(refused), /Radio: choose who returns it/);
    const [, loan = ''] =
      /type="radio"[^>]*value="([^"]*)"[^>]*><label[^>]*>2 to Cy/.exec(page) ?? [];
    const sent = await send(ada, path, { 'things.1.loan': loan, 'things.1.quantity': '1' });
    assert.equal(headerOf(sent, 'Location'), '/items/held');
    assert.deepEqual(await loans(), ['', '4 to Bo, 1 to Cy', '1 to Bo']);
    const nobody = bodyText(await ada.get(await add(ada, '/items/return?list=q%3Dsaw', '1')));
    assert.match(nobody, /Nobody has it/);
    const late = await send(ada, '/items/return?list=q%3Dsaw&things=3');
    assert.equal(headerOf(late, 'Location'), '/items?q=saw');
    assert.deepEqual(await loans(), ['', '4 to Bo, 1 to Cy', '']);
  },
);
