import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { sql } from 'kysely';
import { prepareItemEdition } from '../items/edition.ts';
import {
  addAccount,
  addItem,
  openAnother,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import type { Database, Placeholders } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

const ITEM = { name: 'Drill', description: '', quantity: 2, location: 'Cellar', tags: [] };

function prepareItems({ prepare }: Database) {
  return prepare(
    (read, { name, most }: Placeholders<{ name: string; most: number }>) =>
      read
        .selectFrom('items')
        .select(['number', 'name', 'quantity'])
        .where('name', '=', name)
        .where('quantity', '>', 1)
        .orderBy('number')
        .limit(most),
    (rows) => rows,
  );
}

testOnEngines('a prepared read gives the rows for the values of each time', async (t) => {
  const database = await openTestDatabase(t);
  await addItem(database, ITEM);
  await addItem(database, { ...ITEM, name: 'Saw' });
  await addItem(database, ITEM);
  const find = prepareItems(database);
  assert.deepEqual(await find({ name: 'Saw', most: 9 }), [{ number: 2, name: 'Saw', quantity: 2 }]);
  assert.deepEqual(
    (await find({ name: 'Drill', most: 9 })).map(({ number }) => number),
    [1, 3],
  );
  assert.deepEqual(
    (await find({ most: 1, name: 'Drill' })).map(({ number }) => number),
    [1],
  );
  assert.deepEqual(await find({ name: "'; drop table items; --", most: 9 }), []);
});

testOnEngines('a prepared read sees what another instance has committed last', async (t) => {
  const database = await openTestDatabase(t);
  const find = prepareItems(database);
  const values = { name: 'Drill', most: 9 };
  assert.equal((await find(values)).length, 0);
  await addItem(await openAnother(t, database), ITEM);
  assert.equal((await find(values)).length, 1);
});

testOnEngines('a query that selects all columns cannot be prepared', async (t) => {
  const { prepare } = await openTestDatabase(t);
  const noRows = () => null;
  assert.throws(
    () => prepare((read) => read.selectFrom('items').selectAll(), noRows),
    /^TypeError: Cannot prepare a query that selects all columns.* from "items"\. Name them\.$/,
  );
  assert.throws(
    () => prepare((read) => read.selectFrom('items').selectAll('items'), noRows),
    TypeError,
  );
  const count = prepare(
    (read) => read.selectFrom('items').select((row) => row.fn.countAll<number>().as('count')),
    ([row]) => row?.count,
  );
  assert.equal(await count({}), 0);
});

testOnEngines('a column that a newer instance adds moves nothing', async (t) => {
  const database = await openTestDatabase(t);
  await addAccount(database, 7, 'ada');
  const find = database.prepare(
    (read, { id }: Placeholders<{ id: number }>) =>
      read.selectFrom('accounts').select(['id', 'username']).where('id', '=', id),
    (rows) => rows,
  );
  assert.deepEqual(await find({ id: 7 }), [{ id: 7, username: 'ada' }]);
  await database.write((transaction) =>
    sql`alter table accounts add column nickname text`.execute(transaction),
  );
  assert.deepEqual(await find({ id: 7 }), [{ id: 7, username: 'ada' }]);
});

test('on SQLite a prepared read answers at once, also while a transaction reads', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const find = prepareItems(database);
  await database.read.connection().execute(async (reader) => {
    await sql`begin`.execute(reader);
    await reader.selectFrom('items').select('number').execute();
    await addItem(database, ITEM);
    const rows = find({ name: 'Drill', most: 9 });
    assert.ok(Array.isArray(rows), 'a promise');
    assert.equal(rows.length, 1, 'it reads in the transaction');
    await sql`rollback`.execute(reader);
  });
});

test('on SQLite what was read is kept until anybody commits anything', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  let reads = 0;
  const find = database.prepare(
    (read, { name }: Placeholders<{ name: string }>) =>
      read.selectFrom('items').select('quantity').where('name', '=', name).orderBy('number'),
    (rows) => {
      reads++;
      return rows.map(({ quantity }) => quantity);
    },
  );
  const show = async (name = 'Drill') => ({ found: find({ name }), reads });
  assert.deepEqual(await show(), { found: [], reads: 1 });
  assert.deepEqual(await show(), { found: [], reads: 1 });
  await addItem(database, ITEM);
  assert.deepEqual(await show(), { found: [2], reads: 2 });
  assert.deepEqual(await show('Saw'), { found: [], reads: 3 });
  assert.deepEqual(await show(), { found: [2], reads: 3 });
  await addItem(await openAnother(t, database), ITEM);
  assert.deepEqual(await show(), { found: [2, 2], reads: 4 });
  const other = new DatabaseSync(database.file);
  t.after(() => other.close());
  other.exec('begin immediate; update items set quantity = 3');
  assert.deepEqual(await show(), { found: [2, 2], reads: 4 }, 'it is not committed');
  other.exec('commit');
  assert.deepEqual(await show(), { found: [3, 3], reads: 5 });
  // As many as there may be: the first has to go before the last.
  for (let number = 0; number < 1_000; number++) find({ name: String(number) });
  assert.deepEqual(await show(), { found: [3, 3], reads: 1_006 });
});

test('on SQLite what was kept before a commit does not go with what is read after it', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await addItem(database, ITEM);
  const items = database.prepare(
    (read) => read.selectFrom('items').select('quantity'),
    (rows) => rows.map(({ quantity }) => quantity),
  );
  const edition = prepareItemEdition(database);
  const before = await edition();
  await addItem(database, ITEM);
  assert.deepEqual(await items({}), [2, 2]);
  const other = new DatabaseSync(database.file);
  t.after(() => other.close());
  // Another process commits in the middle of a request, whose reads run without a pause.
  assert.deepEqual(items({}), [2, 2]);
  other.exec('update items set quantity = 3');
  assert.notEqual(edition(), before);
  assert.deepEqual(items({}), [3, 3], 'old items under a new edition');
});

test('a prepared read of a file that is damaged is unavailable, one that is wrong is not', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const wrong = database.prepare(
    (read) => read.selectFrom('items').select(sql`unheard()`.as('x')),
    (rows) => rows,
  );
  assert.throws(() => wrong({}), /^Error: no such function: unheard$/);
  const other = new DatabaseSync(database.file);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
  const file = openSync(database.file, 'r+');
  writeSync(file, Buffer.alloc(4_096, 'x'), 0, 4_096, 0);
  closeSync(file);
  assert.throws(() => prepareItems(database)({ name: 'Drill', most: 9 }), DatabaseUnavailable);
});
