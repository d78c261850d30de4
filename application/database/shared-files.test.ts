/** The bytes of a content are kept once, also if two instances on one PostgreSQL keep and remove it at once. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createStores, type Database } from 'seeother/database';
import { createFolder } from 'seeother/files';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';

const [, { skip }] = ENGINES;

async function openTwo(t: TestContext) {
  const folder = join(createTestFolder(t), 'files');
  const { open } = await createBareDatabase(t, 'postgres');
  const openOne = async () => {
    const database = await open();
    const { files } = createStores(database, { fileStore: createFolder(folder) });
    // To make the tables waits for every transaction.
    await files.find('none');
    return { database, files };
  };
  const add = (files: Awaited<ReturnType<typeof openOne>>['files']) =>
    files.add(
      { name: 'front.jpg', type: 'image/jpeg' },
      (async function* () {
        yield Buffer.from('the front');
      })(),
    );
  const [one, other] = [await openOne(), await openOne()];
  const keep = async ({ database, files }: typeof one, meanwhile: () => Promise<unknown>) => {
    const file = await add(files);
    const id = await database.write(async (transaction) => {
      const id = await file.keep(transaction);
      await meanwhile();
      return id;
    });
    await files.discardUnkept([file as never]);
    return id;
  };
  return {
    one,
    other,
    keep,
    stored: () => readdirSync(folder).filter((file) => /^[0-9a-f]{64}$/.test(file)),
  };
}

/** Resolves when the work waits for a lock; to false if it has ended instead. */
async function untilBlocked({ read }: Database, work: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  work.finally(() => {
    isDone = true;
  });
  const waits = 'select 1 from pg_locks where not granted';
  while (!isDone && (await read.run(waits)).rows.length === 0) await setTimeout(5);
  return !isDone;
}

const nothing = async () => {};

test('two instances that keep one content at once keep its bytes once', { skip }, async (t) => {
  const { one, other, keep, stored } = await openTwo(t);
  let second: Promise<string> | undefined;
  const first = await keep(one, async () => {
    second = keep(other, nothing);
    await untilBlocked(one.database, second);
  });
  const keys = [first, (await second) ?? ''].map(async (id) => (await one.files.find(id))?.key);
  assert.equal(await keys[0], await keys[1]);
  assert.equal(stored().length, 1);
});

test('the bytes of a file that is removed stay for the instance that keeps them now', {
  skip,
}, async (t) => {
  const { one, other, keep, stored } = await openTwo(t);
  const before = await keep(one, nothing);
  let removal: Promise<void> | undefined;
  const after = await keep(one, async () => {
    removal = other.database.write((transaction) => other.files.remove(before, transaction));
    if (!(await untilBlocked(one.database, removal))) await other.files.removeExpired();
  });
  await removal;
  await other.files.removeExpired();
  assert.equal(`${await Array.fromAsync(one.files.read(after))}`, 'the front');
  await one.database.write((transaction) => one.files.remove(after, transaction));
  await one.files.removeExpired();
  assert.deepEqual(stored(), []);
});
