import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Insertable } from 'kysely';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import type { Schema } from '../database/schema.ts';
import { createClock } from '../testing/create-clock.ts';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../testing/open-test-database.ts';

type Row = Partial<Insertable<Schema['items']>>;

const THING = { description: '', quantity: 3, location: 'Office', tags: [] };
const BO: Row = { lent: 1 };

/** The names of the items on a page of the list. The day is 20 November 2026. */
async function openList(t: TestContext, things: Readonly<Record<string, Row>>) {
  const database = await openTestDatabase(t);
  for (const [name, row] of Object.entries(things)) {
    const number = await addItem(database, { ...THING, name });
    if (Object.keys(row).length === 0) continue;
    await database.write((transaction) =>
      transaction.updateTable('items').set(row).where('number', '=', number).execute(),
    );
  }
  const clock = createClock();
  const visitor = createVisitor(await createTestApplication(t, { database, now: clock.now }));
  const read = async (path: string) => {
    const answer = await visitor.get(path);
    return typeof answer.body === 'string' ? answer.body : '';
  };
  return {
    clock,
    read,
    show: async (query: string) =>
      [...(await read(`/items?${query}`)).matchAll(/<a href="\/items\/\d+[^"]*">(.*?)<\/a>/g)].map(
        ([, name]) => name,
      ),
  };
}

const THINGS: Readonly<Record<string, Row>> = {
  Drill: { ...BO, due: '2026-11-19' },
  Saw: { ...BO, due: '2026-11-20' },
  Lamp: BO,
  Tape: { minimum: 4 },
  Glue: { minimum: 3 },
  Box: {},
};

repeatOnEngines('a list shows what is lent, overdue or running low', async (t) => {
  const { show, clock } = await openList(t, THINGS);
  assert.deepEqual(await show('show=lent'), ['Lamp', 'Saw', 'Drill']);
  assert.deepEqual(await show('show=low'), ['Tape']);
  assert.deepEqual(await show('show=overdue'), ['Drill'], 'not on the day itself');
  clock.pass(86_400);
  assert.deepEqual(await show('show=overdue'), ['Saw', 'Drill'], 'the next day it is');
  assert.deepEqual(await show('show=lent&sort=name'), ['Drill', 'Lamp', 'Saw']);
  assert.deepEqual(await show('show=lent&q=lamp'), ['Lamp']);
  assert.deepEqual(await show('show=lent&location=Office&sort=quantity'), ['Drill', 'Saw', 'Lamp']);
  assert.deepEqual(await show('show=lent&location=Cellar'), []);
  assert.equal((await show('show=everything')).length, 6, 'an unknown value is ignored');
});

repeatOnEngines('the status is shown, and kept by links and by the search', async (t) => {
  const { read } = await openList(t, THINGS);
  const page = await read('/items?show=low&sort=name');
  assert.match(page, /<title>Low &#8211; Items/);
  assert.match(page, /<input type="hidden" name="show" form="search" value="low">/);
  assert.match(page, /href="\/items\?show=low&amp;sort=-name"/);
  assert.match(page, /href="\/items\.csv\?show=low&amp;sort=name"/);
});

const TAPE = { name: 'Tape', quantity: '4' };

repeatOnEngines(
  'a minimum quantity is optional, and a change of it is in the history',
  async (t) => {
    const database = await openTestDatabase(t);
    const application = await createTestApplication(t, { database });
    const { items, history } = application.models;
    const member = await createMember(application);
    const read = async (path: string) => bodyText(await member.get(path));
    await member.submit('/items/new', { ...TAPE, minimum: '' });
    assert.equal((await items.find(1))?.minimum, null);
    assert.doesNotMatch(await read('/items/1'), /<dt>Minimum</);
    assert.equal((await member.submit('/items/1/edit', { ...TAPE, minimum: '0' })).status, 400);
    assert.equal((await member.submit('/items/1/edit', { ...TAPE, minimum: '5' })).status, 303);
    assert.match(await read('/items/1'), /<span class="state">Low: 4 of 5<\/span>/);
    assert.match(await read('/items/1'), /<dt>Minimum<\/dt><dd>5<\/dd>/);
    assert.match(await read('/items/1'), /Minimum: <del>–<\/del> → <ins>5<\/ins>/);
    assert.match(await read('/items'), />Tape<\/a> <span class="state">Low: 4 of 5<\/span><\/th>/);
    assert.match(await read('/items/new?like=1'), /name="minimum" value="5"/);
    const counted = formIn(await read('/items/1'), 'quantity');
    await member.post('/items/1/quantity', {
      ...hiddenFields(counted),
      amount: '1',
      button: 'add',
    });
    assert.doesNotMatch(await read('/items'), /class="state"/, 'the minimum itself is enough');
    const { events } = await history.ofItem(1, 10);
    assert.deepEqual(
      events.map(({ changes }) => changes),
      [{ quantity: [4, 5] }, { minimum: [null, 5] }, {}],
    );
    await member.post(`/items/1/history/${events[1]?.id}/undo`);
    assert.equal((await items.find(1))?.minimum, null);
  },
);

repeatOnEngines('tabs lead to the lent, low and overdue items, with their numbers', async (t) => {
  const { read, clock } = await openList(t, THINGS);
  const tabs = async (query = '') => {
    const [, list = ''] =
      /<nav class="tabs".*?>(.*?)<\/nav>/s.exec(await read(`/items${query}`)) ?? [];
    return [...list.matchAll(/<a href="(.*?)"(.*?)>(.*?)<\/a>/g)].map(
      ([, path, current, text = '']) =>
        `${text.replaceAll(/<[^>]*>/g, '')}${current ? '!' : ''} ${path}`,
    );
  };
  assert.deepEqual(await tabs('?sort=name'), [
    'All 6! /items?sort=name',
    'Lent 3 /items?show=lent&amp;sort=name',
    'Low 1 /items?show=low&amp;sort=name',
    'Overdue 1 /items?show=overdue&amp;sort=name',
  ]);
  clock.pass(86_400);
  assert.deepEqual(await tabs('?show=lent'), [
    'All /items',
    'Lent 3! /items?show=lent',
    'Low 1 /items?show=low',
    'Overdue 2 /items?show=overdue',
  ]);
  // To count the others would take a search each.
  assert.deepEqual(await tabs('?show=lent&q=saw'), [
    'All /items?q=saw',
    'Lent 1! /items?q=saw&amp;show=lent',
    'Low /items?q=saw&amp;show=low',
    'Overdue /items?q=saw&amp;show=overdue',
  ]);
});

repeatOnEngines('a tab without items says so', async (t) => {
  const { read } = await openList(t, { Box: {}, Glue: { minimum: 3 } });
  assert.match(await read('/items'), />Low <span class="count">0<\/span>/);
  assert.match(await read('/items?show=low'), />Nothing is running low\.</);
  assert.match(await read('/items?show=low&q=box'), />Nothing matches\. /);
});

repeatOnEngines('a hundred or more lent items are counted as 99+', async (t) => {
  const things = Array.from({ length: 101 }, (_, index) => [`Thing ${index}`, BO]);
  const { read } = await openList(t, Object.fromEntries(things));
  assert.match(await read('/items'), />Lent <span class="count">99\+<\/span>/);
});
