/** Writes to a real file. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type ReceiptKey } from 'seeother/database';
import { createItems } from '../items/item.ts';
import type { NewItem } from '../items/item-rows.ts';
import {
  addItem,
  createTestFolder,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { openTestStores } from '../testing/open-test-stores.ts';
import type { Database } from './kysely.ts';
import { openDatabase } from './open-database.ts';

const DRILL: NewItem = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const KEY: ReceiptKey = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };

const numbersIn = async ({ read }: Database) =>
  (await read.selectFrom('items').select('number').orderBy('number').execute()).map(
    ({ number }) => number,
  );

function lock(t: TestContext, file: string): DatabaseSync {
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  return other;
}

test('waiting for the lock of another program does not block the thread', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const other = lock(t, database.file);
  const writing = addItem(database, DRILL);
  await sleep(50);
  assert.deepEqual(await numbersIn(database), []);
  other.exec('rollback');
  assert.equal(await writing, 1);
});

test('the words of all creates of a group are written to the index at once', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const countSegments = () => {
    const file = new DatabaseSync(database.file);
    const row = file.prepare('select count(distinct segid) as count from item_words_idx').get();
    file.close();
    return row?.['count'];
  };
  const receipts = openTestStores(database).receipts;
  const items = createItems(database);
  await addItem(database, DRILL);
  const before = countSegments();
  await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      receipts.carryOut({ ...KEY, once: name }, async (transaction) =>
        String(await items.create(transaction, { ...DRILL, name }, null)),
      ),
    ),
  );
  assert.deepEqual([before, countSegments()], [1, 2]);
});

test('all writes that wait for one lock fail together, and none waits again', async (t) => {
  const database = await openTestDatabase(t, 'sqlite', { timeout: 500 });
  const other = lock(t, database.file);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => addItem(database, DRILL)),
  );
  for (const one of outcomes) {
    assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable);
    assert.match(one.reason.message, /holds it locked/);
    assert.equal(one.reason.outcome, 'not saved');
  }
  other.exec('rollback');
  assert.equal(await addItem(database, DRILL), 1);
});

testOnEngines('items that fail between others leave no gap in the numbers', async (t) => {
  const database = await openTestDatabase(t);
  const names = Array.from({ length: 40 }, (_, index) => (index % 4 === 1 ? '' : `Thing ${index}`));
  const outcomes = await Promise.allSettled(
    names.map((name) => addItem(database, { ...DRILL, name })),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status === 'rejected'),
    names.map((name) => name === ''),
  );
  assert.deepEqual(
    await numbersIn(database),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
});

test('when the first of several equal forms fails, exactly one other is carried out', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const receipts = openTestStores(database).receipts;
  const items = createItems(database);
  const send = (name: string) =>
    receipts.carryOut(KEY, async (transaction) =>
      String(await items.create(transaction, { ...DRILL, name }, null)),
    );
  const [first, ...others] = await Promise.allSettled([send(''), send('Saw'), send('Saw')]);
  assert.match(String(first.status === 'rejected' && first.reason), /check constraint/i);
  assert.deepEqual(
    others.map((one) => one.status === 'fulfilled' && one.value),
    ['1', '1'],
  );
  assert.deepEqual(await numbersIn(database), [1]);
});

testOnEngines('a write inside another write is refused', async (t) => {
  const database = await openTestDatabase(t);
  const nested = database.write(() => addItem(database, DRILL));
  await assert.rejects(nested, /Cannot write inside another write: /);
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  let after: Promise<number> | undefined;
  await database.write(async () => {
    after = later.then(() => addItem(database, DRILL));
  });
  goOn();
  assert.equal(await after, 1, 'what a write has started may write after it');
});

testOnEngines('only a write and a snapshot begin a transaction', async (t) => {
  const { read, slowRead } = await openTestDatabase(t);
  for (const source of [read, slowRead])
    await assert.rejects(
      source.transaction().execute(async () => {}),
      /Cannot begin a transaction here: use write or snapshot\./,
    );
});

test('a value that no column can hold fails only its own write', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const add = (value: unknown) =>
    database.write((transaction) =>
      transaction
        .insertInto('counters')
        .values({ name: 'a', value: value as number })
        .execute(),
    );
  const outcomes = await Promise.allSettled([add(Symbol('one')), add({}), add(undefined), add(1)]);
  assert.deepEqual(
    outcomes.map((one) => one.status === 'rejected' && one.reason instanceof DatabaseUnavailable),
    [false, false, false, false],
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'fulfilled'],
  );
});

test('closing waits for writes under way, and leaves one file', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const database = await openDatabase(`sqlite:${file}`);
  const writing = addItem(database, DRILL);
  await database.close();
  assert.equal(await writing, 1);
  assert.deepEqual([existsSync(file), existsSync(`${file}-wal`)], [true, false]);
});

test('a process waits for its writes, but an open database does not keep it alive', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const code = `
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))};
    import { createItems } from ${JSON.stringify(import.meta.resolve('../items/item.ts'))};
    const database = await openDatabase('sqlite:' + ${JSON.stringify(file)});
    const number = await database.write((transaction) =>
      createItems(database).create(transaction, ${JSON.stringify(DRILL)}, null));
    process.stdout.write('item ' + number);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [exitCode] = await once(child, 'close');
  assert.deepEqual([exitCode, output], [0, 'item 1']);
});
