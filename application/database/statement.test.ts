import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseUnavailable } from 'seeother/database';
import { createRevisionReader } from '../items/revision.ts';
import {
  addItem,
  openAnother,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import type { Database } from './kysely.ts';
import type { Placeholders } from './statement.ts';

const ITEM = { name: 'Drill', description: '', quantity: 2, location: 'Cellar', tags: [] };

function findItems({ statement }: Database) {
  return statement((read, { name, most }: Placeholders<{ name: string; most: number }>) =>
    read
      .selectFrom('items')
      .select(['number', 'name', 'quantity'])
      .where('name', '=', name)
      .where('quantity', '>', 1)
      .orderBy('number')
      .limit(most),
  );
}

testOnEngines('a statement gives the rows for the values of each time', async (t) => {
  const database = await openTestDatabase(t);
  await addItem(database, ITEM);
  await addItem(database, { ...ITEM, name: 'Saw' });
  await addItem(database, ITEM);
  const find = findItems(database);
  assert.deepEqual(await find.all({ name: 'Saw', most: 9 }), [
    { number: 2, name: 'Saw', quantity: 2 },
  ]);
  assert.deepEqual(
    (await find.all({ name: 'Drill', most: 9 })).map(({ number }) => number),
    [1, 3],
  );
  assert.deepEqual(
    (await find.all({ most: 1, name: 'Drill' })).map(({ number }) => number),
    [1],
  );
  assert.equal((await find.first({ name: 'Drill', most: 9 }))?.number, 1);
  assert.equal(await find.first({ name: 'drill', most: 9 }), null);
  assert.deepEqual(await find.all({ name: "'; drop table items; --", most: 9 }), []);
});

testOnEngines(
  'a column that a newer instance adds does not move values to other names',
  async (t) => {
    const database = await openTestDatabase(t);
    const named = database.statement((read) => read.selectFrom('revisions').select(['revision']));
    const whole = database.statement((read) => read.selectFrom('counters').selectAll());
    const addCounter = (name: string) =>
      database.write((transaction) =>
        transaction.insertInto('counters').values({ name, value: 7 }).execute(),
      );
    await addCounter('first');
    const revision = await named.all({});
    assert.deepEqual(await whole.all({}), [{ name: 'first', value: 7 }]);
    await database.write(async (transaction) => {
      await sql`alter table counters add column note text`.execute(transaction);
      await sql`alter table revisions add column note text`.execute(transaction);
    });
    assert.deepEqual(await named.all({}), revision);
    assert.deepEqual(await whole.all({}), [{ name: 'first', value: 7, note: null }]);
  },
);

testOnEngines('a statement is built when it is first run, and once', async (t) => {
  const database = await openTestDatabase(t);
  let builds = 0;
  const insert = database.statement((source, { name, value }: Placeholders<Count>) => {
    builds++;
    return source.insertInto('counters').values({ name, value }).returning(['name', 'value']);
  });
  assert.equal(builds, 0);
  const hostile = "'); drop table counters; --";
  const rows = await database.write(async (transaction) => {
    await insert.run(transaction, { name: 'a', value: 1 });
    return insert.run(transaction, { name: hostile, value: 2 });
  });
  assert.deepEqual(rows, [{ name: hostile, value: 2 }]);
  await database.write((transaction) => insert.run(transaction, { name: 'b', value: 3 }));
  const all = await database.read.selectFrom('counters').selectAll().orderBy('value').execute();
  assert.deepEqual(
    all.map(({ name }) => name),
    ['a', hostile, 'b'],
  );
  assert.equal(builds, 1);
});

interface Count {
  readonly name: string;
  readonly value: number;
}

testOnEngines('a snapshot is of one moment, and a statement sees the last commit', async (t) => {
  const database = await openTestDatabase(t);
  const find = findItems(database);
  const values = { name: 'Drill', most: 9 };
  await database.snapshot(async (source) => {
    const count = async () => (await source.selectFrom('items').select('number').execute()).length;
    assert.equal(await count(), 0);
    await addItem(database, ITEM);
    assert.equal((await find.all(values)).length, 1);
    assert.equal(await count(), 0);
  });
});

test('on SQLite rows are cached until the next commit', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  let reads = 0;
  const find = database.statement(
    (read, { name }: Placeholders<{ name: string }>) =>
      read
        .selectFrom('items')
        .select((row) => row.fn.sum<number>('quantity').as('sum'))
        .where('name', '=', name),
    ({ sum }) => {
      reads++;
      return sum;
    },
  );
  const show = async (name = 'Drill') => ({ sum: await find.first({ name }), reads });
  assert.deepEqual(await show(), { sum: null, reads: 1 });
  assert.deepEqual(await show(), { sum: null, reads: 1 });
  await addItem(database, ITEM);
  assert.deepEqual(await show(), { sum: 2, reads: 2 });
  assert.deepEqual(await show('Saw'), { sum: null, reads: 3 });
  assert.deepEqual(await show(), { sum: 2, reads: 3 });
  await addItem(await openAnother(t, database), ITEM);
  assert.deepEqual(await show(), { sum: 4, reads: 4 });
  const other = new DatabaseSync(database.file);
  t.after(() => other.close());
  other.exec('begin immediate; update items set quantity = 3');
  assert.deepEqual(await show(), { sum: 4, reads: 4 }, 'it is not committed');
  other.exec('commit');
  await nextTurn();
  assert.deepEqual(await show(), { sum: 6, reads: 5 });
  // As many as there may be: the first has to go before the last.
  for (let number = 0; number < 1_000; number++) {
    await find.first({ name: String(number) });
  }
  await nextTurn();
  assert.deepEqual(await show(), { sum: 6, reads: 1_006 });
});

test('on SQLite rows from before a commit never follow rows from after it', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await addItem(database, ITEM);
  const items = database.statement((read) => read.selectFrom('items').select('quantity'));
  const readRevision = createRevisionReader(database);
  assert.deepEqual(await items.all({}), [{ quantity: 2 }]);
  const other = new DatabaseSync(database.file);
  t.after(() => other.close());
  assert.deepEqual(await items.all({}), [{ quantity: 2 }]);
  // Another process commits in the middle of a request, whose reads run in one turn.
  other.exec('update items set quantity = 3');
  const revision = await readRevision();
  assert.deepEqual(await items.all({}), [{ quantity: 3 }], 'old items with a new revision');
  await nextTurn();
  assert.equal(await readRevision(), revision);
});

test('a statement on a damaged file is unavailable, a wrong statement is an error', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const wrong = database.statement((read) =>
    read.selectFrom('items').select(sql`unheard()`.as('x')),
  );
  await assert.rejects(async () => wrong.first({}), /^Error: no such function: unheard$/);
  const other = new DatabaseSync(database.file);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
  const file = openSync(database.file, 'r+');
  writeSync(file, Buffer.alloc(4_096, 'x'), 0, 4_096, 0);
  closeSync(file);
  const find = async () => findItems(database).all({ name: 'Drill', most: 9 });
  await assert.rejects(find, DatabaseUnavailable);
});
