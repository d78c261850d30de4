import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Insertable } from 'kysely';
import { createVisitor } from 'seeother/testing';
import type { Schema } from '../database/schema.ts';
import { createClock } from '../testing/create-clock.ts';
import { createTestApplication } from '../testing/create-test-application.ts';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

type Row = Partial<Insertable<Schema['items']>>;

const THING = { description: '', quantity: 3, location: 'Office', tags: [] };
const BO: Row = { lent_to: 'Bo', lent_at: '2026-11-01T12:00:00.000Z' };

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
      [...(await read(`/items?${query}`)).matchAll(/<a href="\/items\/\d+">(.*?)<\/a>/g)].map(
        ([, name]) => name,
      ),
  };
}

const THINGS: Readonly<Record<string, Row>> = {
  Drill: { ...BO, lent_until: '2026-11-19' },
  Saw: { ...BO, lent_until: '2026-11-20' },
  Lamp: BO,
  Tape: { minimum: 4 },
  Glue: { minimum: 3 },
  Box: {},
};

testOnEngines('a list shows what is lent, overdue or running low', async (t) => {
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

testOnEngines('the filter is shown, kept by links, and can be removed', async (t) => {
  const { read } = await openList(t, THINGS);
  const page = await read('/items?show=low&sort=name');
  assert.match(page, /<title>Running low – Items/);
  assert.match(
    page,
    /<a href="\/items\?sort=name"><span[^>]*>Remove <\/span>Show: <strong>Running/,
  );
  assert.match(page, /<option value="low" selected>Running low</);
  assert.match(page, /href="\/items\?show=low&amp;sort=-name"/);
  assert.match(page, /href="\/items\.csv\?show=low&amp;sort=name"/);
});
