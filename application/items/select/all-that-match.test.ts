/** Ticks that are kept over pages and searches, and all items that match, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { QueueFull } from 'seeother/middleware';
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

const CHAIR = { name: 'Chair', description: '', quantity: 1, location: 'Office', tags: ['red'] };

/** As many red items, and a table before them. */
async function openItems(t: TestContext, red: number, filled = 0) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  if (filled > 0) await fillItems(database, filled);
  await addItem(database, { ...CHAIR, name: 'Table', tags: [] });
  for (let count = 0; count < red; count++) await addItem(database, CHAIR);
  const member = await createMember(application);
  const { items } = application.models;
  const count = async (query: object) => (await items.list(1, query)).itemCount;
  const read = async (path: string) => bodyText(await member.get(path));
  /** Presses a button of the page that sends its form with GET; resolves to the address that the answer leads to. */
  const step = async (path: string, button: string, typed: Record<string, string> = {}) => {
    const page = await read(path);
    const value = new RegExp(`name="step" value="([^"]*)">${button}</button>`).exec(page)?.[1];
    const boxes = page.matchAll(/name="(row_\d+)" value="(\d+)" checked/g);
    const ticked = [...boxes].map(([, name = '', number = '']) => [name, number]);
    const texts = [...page.matchAll(/id="(q|location|tag)" name="[^"]*"[^>]* value="([^"]*)"/g)];
    const fields = texts.map(([, name = '', text = '']) => [name, text]);
    const form = { ...hiddenFields(formIn(page, '/items/select')), ...Object.fromEntries(fields) };
    const sent = { ...form, ...Object.fromEntries(ticked), ...typed, step: value ?? 'missing' };
    const answer = await member.get(`/items/select?${new URLSearchParams(sent)}`);
    assert.equal(answer.status, 303);
    return headerOf(answer, 'Location') ?? '';
  };
  return { application, database, member, items, count, read, step };
}

repeatOnEngines(
  'ticks of several pages and searches are moved at once, with one Undo',
  async (t) => {
    const { member, read, step, count, database } = await openItems(t, 120);
    const first = '/items/select?tag=red';
    assert.match(
      await read(first),
      /120 items match <strong>red<\/strong>\. <span [^>]*>0 selected</,
    );
    const typed = { row_0: '121', row_1: '120', location: 'Cellar & roof' };
    const second = await step(first, 'Next →', typed);
    assert.equal(second, '/items/select?tag=red&page=2&ticked=120-121&to=Cellar+%26+roof');
    const page = await read(second);
    assert.match(page, /2 selected, 2 of them on other pages/);
    assert.match(page, /value="Cellar &amp; roof"/);
    const back = await step(second, '← Previous', { row_0: '21' });
    assert.match(await read(back), /name="row_0" value="121" checked/);
    const found = await step(await step(back, 'Show all items'), 'Search', { q: 'table' });
    assert.match(found, /\?q=table&ticked=21\.120-121&to=/);
    const shown = await step(found, 'Show the selected', { row_0: '1' });
    const names = [...(await read(shown)).matchAll(/<label for="row_\d+">([^<]*)</g)];
    assert.deepEqual(
      names.map(([, name]) => name),
      ['Chair', 'Chair', 'Chair', 'Table'],
    );
    const form = hiddenFields(formIn(await read(found), '/items/select'));
    const sent = { ...form, row_0: '1', location: 'Cellar', button: 'move' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => member.post('/items/select?q=table&send=', sent)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal(await count({ location: 'Cellar' }), 4);
    assert.equal((await listBatches(database)).length, 1);
    const undo = hiddenFields(formIn(await read('/items/history/batches/1'), '/1/undo'));
    await member.post('/items/history/batches/1/undo', undo);
    assert.equal(await count({ location: 'Office' }), 121);
  },
);

repeatOnEngines('all items that match are ticked, and only those that matched then', async (t) => {
  const { database, member, read, step, count } = await openItems(t, 120);
  const path = await step('/items/select?tag=red', 'Tick all 120 that match');
  assert.equal(path, '/items/select?tag=red&ticked=2-121');
  await addItem(database, CHAIR);
  assert.match(await read(path), /121 items match [\s\S]*120 selected, 21 of them on other pages/);
  const form = hiddenFields(formIn(await read(path), '/items/select'));
  const rows = Object.fromEntries(
    [...(await read(path)).matchAll(/name="(row_\d+)" value="(\d+)" checked/g)].map((box) =>
      box.slice(1),
    ),
  );
  const answer = await member.post('/items/select?tag=red&send=', {
    ...{ ...form, ...rows, button: 'delete' },
  });
  assert.equal(headerOf(answer, 'Location'), '/items?tag=red');
  assert.match(bodyText(await member.follow(answer)), /Deleted 120 items\./);
  assert.equal(await count({ tag: 'red' }), 1);
});

test('what is ticked is lent with a number for each, and leads back to the page of the list', async (t) => {
  const { member, read, step } = await openItems(t, 2);
  const path = await step('/items/select?tag=red&ticked=1&back=2', 'How many of each…', {
    ...{ row_0: '3', to: 'Bo' },
  });
  assert.equal(path, '/items/lend?things=1.3&to=Bo&list=tag%3Dred%26page%3D2');
  const page = await read(path);
  assert.match(page, /No\. 1<[\s\S]*No\. 3<[\s\S]*name="to"[^>]* value="Bo"/);
  const form = hiddenFields(formIn(page, '/items/lend'));
  const action = /action="(\/items\/lend[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const sent = await member.post(action, { ...form, to: 'Bo' });
  assert.equal(headerOf(sent, 'Location'), '/items?tag=red&page=2');
});

test('one page is ticked and unticked, and all pages are unticked', async (t) => {
  const { read, step } = await openItems(t, 3);
  const all = await step('/items/select?ticked=900', 'Tick this page');
  assert.equal(all, '/items/select?ticked=900&all=');
  assert.match(await read(all), /5 selected, 1 of them on other pages/);
  const none = await step(all, 'Untick this page');
  assert.equal(none, '/items/select?ticked=900');
  assert.equal(await step(all, 'Untick all'), '/items/select');
});

test('Cancel leads back to the page of the list, over steps, until another list is shown', async (t) => {
  const { read, step } = await openItems(t, 120);
  const list = await read('/items?page=3');
  const select = /href="([^"]*)">Select</.exec(list)?.[1];
  assert.equal(select, '/items/select?back=3');
  const cancel = async (path: string) => /href="([^"]*)">Cancel</.exec(await read(path))?.[1];
  assert.equal(await cancel('/items/select?back=3'), '/items?page=3');
  const next = await step('/items/select?back=3', 'Next →');
  assert.equal(next, '/items/select?page=2&back=3');
  assert.equal(await cancel(next), '/items?page=3');
  assert.equal(await cancel(await step(next, 'Search', { q: 'chair' })), '/items?q=chair');
});

test('Enter in a field below the list leads to its button, and carries out nothing', async (t) => {
  const { step } = await openItems(t, 3);
  const path = '/items/select?q=chair';
  assert.equal(await step(path, 'Search', { location: 'Attic' }), `${path}&to=Attic#move`);
  assert.equal(await step(path, 'Search', { tag: 'blue' }), `${path}&add=blue#add-tag`);
  const other = await step(path, 'Search', { location: 'Attic', q: 'table' });
  assert.equal(other, '/items/select?q=table&to=Attic');
});

repeatOnEngines(
  'more items than one form can change are refused, and the page says how many',
  async (t) => {
    const { member, read, step } = await openItems(t, 1, 501);
    const found = await read('/items/select?q=thing');
    assert.match(found, /More than 500 items match, too many for one form\./);
    assert.doesNotMatch(found, /Tick all 501/);
    const full = await step('/items/select?ticked=2-501', 'Tick this page');
    assert.match(full, /\?ticked=2-501&all=/);
    const next = await step(full, 'Next →');
    assert.equal(next, '/items/select?page=2&ticked=2-403.406-503&left=2');
    assert.match(await read(next), /2 more items were not selected: one form changes at most 500/);
    const sent = { ticked: '2-9999999', row_0: '1', button: 'delete' };
    const refused = await member.post('/items/select', sent);
    assert.equal(refused.status, 400);
    assert.match(bodyText(refused), /At most 500 items can be changed at once: untick some/);
  },
);

test('what was ticked on other pages stays after an error, and through the log-in', async (t) => {
  const { application, member } = await openItems(t, 2);
  const sent = { ticked: '2', row_0: '3', button: 'tag' };
  const refused = await member.post('/items/select?q=table&send=', sent);
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /2 selected, 2 of them on other pages/);
  const visitor = createVisitor(application);
  const form = hiddenFields(bodyText(await visitor.post('/items/select?q=table&send=', sent)));
  const answer = await visitor.post('/login', { ...form, username: 'ada', password: PASSWORD });
  assert.match(bodyText(await visitor.follow(answer)), /2 selected, 2 of them on other pages/);
});

test('a page of ticks waits for its turn like any other search', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: { ...items, findMatching: () => Promise.reject(new QueueFull()) },
    }),
  });
  const member = await createMember(application);
  const answer = await member.get('/items/select?step=matching&list=tag%3Dred');
  assert.equal(answer.status, 503);
});
