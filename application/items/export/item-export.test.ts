import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Response } from 'seeother';
import { bodyText, createVisitor } from 'seeother/testing';
import { createTestApplication, headerOf } from '../../testing/create-test-application.ts';
import { fillItems, sampleItem } from '../../testing/fill-items.ts';
import {
  addItem,
  openTestDatabase,
  repeatOnEngines,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { createItems } from '../item.ts';
import { ALL_ITEMS, type ItemQuery } from '../item-query.ts';
import type { Item } from '../item-rows.ts';
import { COLUMNS } from './csv.ts';
import { createItemExport } from './item-export.ts';

const COUNT = 600;

async function openExport(t: TestContext) {
  const database = await openTestDatabase(t);
  await fillItems(database, COUNT);
  const exportItems = createItemExport(database);
  return {
    database,
    async readAll(query: Partial<ItemQuery>): Promise<readonly Item[]> {
      const all: Item[] = [];
      for await (const items of await exportItems({ ...ALL_ITEMS, ...query })) all.push(...items);
      return all;
    },
    exportItems,
  };
}

function textOf({ body }: Response): string {
  assert.ok(typeof body === 'string');
  return body;
}

repeatOnEngines('an export has the items of all pages of a list, in its order', async (t) => {
  const { database, readAll } = await openExport(t);
  const { list } = createItems(database);
  for (const order of ['newest', 'oldest', 'name', '-changed'] as const) {
    for (const filter of [{}, { tag: 'tools', search: 'drill' }]) {
      const query = { ...ALL_ITEMS, ...filter, order };
      const listed: Item[] = [];
      for (let page = 1, pageCount = 1; page <= pageCount; page++) {
        const part = await list(page, query);
        listed.push(...part.items);
        ({ pageCount } = part);
      }
      assert.deepEqual(await readAll(query), listed, JSON.stringify(query));
    }
  }
  const [first] = await readAll({ order: 'oldest' });
  assert.equal(first?.name, sampleItem(1).name);
});

testOnEngines(
  'a write during an export shows in what is read afterwards, and no item comes twice',
  async (t) => {
    const { database, exportItems } = await openExport(t);
    const batches = await exportItems({ ...ALL_ITEMS, order: 'oldest' });
    const { value: first } = await batches.next();
    await database.write(async (transaction) => {
      await transaction.updateTable('items').set({ name: 'changed' }).execute();
      await sql`delete from items where number = ${COUNT}`.execute(transaction);
    });
    const rest: Item[] = [];
    for await (const items of batches) rest.push(...items);
    const names = new Set((first ?? []).map(({ name }) => name));
    assert.equal(names.has('changed'), false);
    assert.ok(rest.every(({ name }) => name === 'changed'));
    const numbers = [...(first ?? []), ...rest].map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: COUNT - 1 }, (_, index) => index + 1),
    );
  },
);

repeatOnEngines('the event loop runs after each batch, however fast the client is', async (t) => {
  const { exportItems } = await openExport(t);
  let turns = 0;
  const count = () => {
    turns++;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  let batches = 0;
  for await (const _ of await exportItems(ALL_ITEMS)) batches++;
  clearImmediate(waiting);
  assert.ok(batches > 1 && turns >= batches, `${turns} turns for ${batches} batches`);
});

testOnEngines('exports that wait for their readers hold nothing of the database', async (t) => {
  const { database, exportItems } = await openExport(t);
  // More than there are connections.
  const waiting = [];
  for (let count = 0; count < 12; count++) {
    const batches = await exportItems(ALL_ITEMS);
    await batches.next();
    waiting.push(batches);
  }
  assert.equal((await createItems(database).list(1)).itemCount, COUNT);
  if (database.engine === 'sqlite') {
    await database.write((transaction) =>
      transaction.updateTable('items').set({ name: 'changed' }).execute(),
    );
    // The result says whether a reader has kept the log from being emptied.
    const other = new DatabaseSync(database.file);
    assert.equal(other.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'], 0);
    other.close();
  }
  for (const batches of waiting) await batches.return();
});

repeatOnEngines('an error during an export rejects it, and the next one succeeds', async (t) => {
  const { exportItems, readAll } = await openExport(t);
  const batches = await exportItems(ALL_ITEMS);
  await batches.next();
  await assert.rejects(batches.throw(new Error('gone')), /gone/);
  assert.equal((await readAll({})).length, COUNT);
});

repeatOnEngines('GET /items.csv sends the items of the filter as a file', async (t) => {
  const application = await createTestApplication(t);
  const thing = { description: '', quantity: 1, location: '', tags: ['a', 'b'] };
  await addItem(application.database, { ...thing, name: 'Säge' });
  await addItem(application.database, { ...thing, name: '=1+1' });
  await addItem(application.database, { ...thing, name: 'Other', tags: [] });
  const visitor = createVisitor(application);
  assert.match(bodyText(await visitor.get('/items?tag=a')), /href="\/items\.csv\?tag=a" download/);
  const answer = await visitor.get('/items.csv?tag=a&sort=oldest');
  assert.equal(answer.status, 200);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/csv; charset=utf-8');
  assert.equal(headerOf(answer, 'Content-Disposition'), 'attachment; filename="items.csv"');
  assert.equal(
    textOf(answer).replaceAll(/[\d-]+T[\d:.]+Z/g, 'then'),
    `\u{feff}${COLUMNS.join(',')}\r\n1,Säge,,1,,,"a, b",,,,,,,,then\r\n2,'=1+1,,1,,,"a, b",,,,,,,,then\r\n`,
  );
});
