/** What may happen to a copy while it is made: the target is as it was, or whole and the same. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/kysely.ts';
import { openDatabase } from '../database/open-database.ts';
import { createItems } from '../items/item.ts';
import { fillDatabase } from '../testing/fill-database.ts';
import {
  addItem,
  ENGINES,
  openAnother,
  openTestDatabase,
  type TestDatabase,
} from '../testing/open-test-database.ts';
import { createBarePostgresDatabase, runSql } from '../testing/postgres/cluster.ts';
import { runScript } from '../testing/run-script.ts';
import { copyDatabase } from './copy-database.ts';

/** Several batches. */
const ITEMS = 1_200;
const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const KILLED = join(import.meta.dirname, 'copy-until-killed.program.ts');

async function countItems(database: Database): Promise<number> {
  return (await createItems(database).list(1)).itemCount;
}

/** What another program does to the database. */
async function runIn({ url, file }: TestDatabase, statements: string): Promise<void> {
  if (file === '') {
    await runSql(url, statements);
    return;
  }
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
}

/** Not one that is given back and used again by other tests. */
async function openForTriggers(t: TestContext, engine: Database['engine']): Promise<TestDatabase> {
  if (engine === 'sqlite') return openTestDatabase(t, engine);
  const { url, drop } = await createBarePostgresDatabase();
  const database = await openDatabase(url);
  t.after(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url, file: '' };
}

for (const { engine, name, skip } of ENGINES) {
  test(`a killed copy to ${name} leaves nothing, and the next one succeeds`, {
    skip,
  }, async (t) => {
    const source = await openTestDatabase(t, 'sqlite');
    await fillDatabase(source, ITEMS);
    const target = await openTestDatabase(t, engine);
    const child = spawn(process.execPath, [KILLED, source.url, target.url], { stdio: 'inherit' });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    assert.equal(await countItems(target), 0);
    const { code, errors } = await runScript('database', ['copy', source.url, target.url]);
    assert.deepEqual({ code, errors }, { code: 0, errors: '' });
    assert.equal(await countItems(target), ITEMS);
  });

  test(`a copy of ${name} is one snapshot, despite concurrent writes`, { skip }, async (t) => {
    const source = await openTestDatabase(t, engine);
    await fillDatabase(source, ITEMS);
    const target = await openTestDatabase(t, 'sqlite');
    const written: Promise<number>[] = [];
    const onProgress = (table: string) => {
      if (table === 'accounts' || table === 'items') written.push(addItem(source, DRILL));
    };
    const tables = await copyDatabase(source, target, { onProgress });
    assert.ok((await Promise.all(written)).length > 2);
    assert.equal(await countItems(source), ITEMS + written.length);
    assert.equal(tables.find((one) => one.name === 'items')?.rows, ITEMS);
    assert.equal(await addItem(target, DRILL), ITEMS + 1);
  });

  test(`a row that is changed or lost on the way to ${name} is detected, and nothing stays`, {
    skip,
  }, async (t) => {
    const source = await openTestDatabase(t, 'sqlite');
    await fillDatabase(source, ITEMS);
    for (const fault of ["update items set name = name || '!'", 'delete from items']) {
      const target = await openForTriggers(t, engine);
      const change = `${fault} where number = new.number and number = ${ITEMS / 2};`;
      await runIn(
        target,
        engine === 'sqlite'
          ? `create trigger fault after insert on items begin ${change} end`
          : `create function fault() returns trigger language plpgsql as $$ begin ${change} return null; end $$;
             create trigger fault after insert on items for each row execute function fault()`,
      );
      await assert.rejects(copyDatabase(source, target), {
        name: 'StartError',
        message: /^Cannot copy the table items: what arrived differs from what was sent\./,
      });
      assert.equal(await countItems(target), 0);
      await runIn(
        target,
        engine === 'sqlite' ? 'drop trigger fault' : 'drop trigger fault on items',
      );
      await copyDatabase(source, target);
    }
  });

  test(`a ${name} target with a row in any table is refused`, {
    skip,
  }, async (t) => {
    const source = await openTestDatabase(t, 'sqlite');
    const target = await openTestDatabase(t, engine);
    await target.write((transaction) =>
      transaction.insertInto('failed_log_ins').values({ subject: 'a', at: 'b' }).execute(),
    );
    await assert.rejects(copyDatabase(source, target), {
      name: 'StartError',
      message: /not empty: its table failed_log_ins has 1 rows/,
    });
  });
}

test('writes of another program to the target wait for the copy', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const source = await openTestDatabase(t, 'sqlite');
  await fillDatabase(source, ITEMS);
  const target = await openTestDatabase(t, 'postgres');
  const other = await openAnother(t, target);
  const row = { subject: 'account:bo', at: '2026-11-20T12:00:00.000Z' };
  const write = () =>
    other.write((transaction) => transaction.insertInto('failed_log_ins').values(row).execute());
  // When the copy takes long, it is given up.
  const writes: Promise<unknown>[] = [];
  const onProgress = (table: string) => {
    if (table === 'items') writes.push(write().catch(() => {}));
  };
  await copyDatabase(source, target, { onProgress });
  await Promise.all(writes);
  assert.equal(writes.length, 3);
});
