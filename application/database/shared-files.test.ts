/** The bytes of a content are kept once, also if two instances on one PostgreSQL keep and remove it at once. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createSite, defineForm, formPage, localPath } from 'seeother';
import { createStores, type Database } from 'seeother/database';
import { filesField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { createVisitor } from 'seeother/testing';
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

test('two forms with the same files in another order do not wait for each other', {
  skip,
}, async (t) => {
  const folder = createFolder(join(createTestFolder(t), 'files'));
  const { open } = await createBareDatabase(t, 'postgres');
  const database = await open();
  const stores = createStores(database, { fileStore: folder });
  let sends = 0;
  const site = createSite(stores, { log: false });
  const photos = filesField({ label: 'Photos', maxSize: 9, maxFiles: 2 });
  formPage(site, '/', defineForm({ photos }), {
    ...{ button: 'Add', show: ({ formHtml }) => formHtml },
    async send({ transaction, values }) {
      sends++;
      for (const photo of values.photos) {
        await photo.keep(transaction);
        // Until the other form has kept its first file, too, or waits.
        while (sends < 2) await setTimeout(5);
        await untilBlocked(database, setTimeout(100));
      }
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const [a, b] = [new File(['a'], 'a'), new File(['b'], 'b')];
  const answers = await Promise.all(
    [
      [a, b],
      [b, a],
    ].map((files) => visitor.submit('/', { photos: files })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  assert.equal(sends, 2, 'one of the two was rolled back and repeated');
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
