/** What is acknowledged is on disk, and the event loop does not wait for it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import type { ReceiptKey } from 'seeother/database';
import { addItem, openTestDatabase } from '../testing/open-test-database.ts';
import { openTestStores } from '../testing/open-test-stores.ts';
import { replaceSync } from '../testing/replace-sync.ts';

const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const KEY: ReceiptKey = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, 'pending'])) === 'pending';
}

test('a write resolves after its log is synced, and not before', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const { promise: synced, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: syncing, resolve: begin } = Promise.withResolvers<number>();
  replaceSync(t, (descriptor, callback) => {
    begin(fs.fstatSync(descriptor).ino);
    void synced.then(() => callback(null));
  });
  const writing = addItem(database, DRILL);
  assert.equal(await syncing, fs.statSync(`${database.file}-wal`).ino);
  const other = new DatabaseSync(database.file, { readOnly: true });
  t.after(() => other.close());
  assert.equal(other.prepare('select count(*) as count from items').get()?.['count'], 1);
  assert.ok(await isPending(writing), 'fulfilled before the sync has ended');
  goOn();
  assert.equal(await writing, 1);
});

test('a receipt that is not yet on disk does not answer a repeat', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const receipts = openTestStores(database).receipts;
  const { promise: synced, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: syncing, resolve: begin } = Promise.withResolvers<void>();
  replaceSync(t, (_descriptor, callback) => {
    begin();
    void synced.then(() => callback(null));
  });
  const first = receipts.carryOut(KEY, async () => '/items/1');
  await syncing;
  const again = Promise.resolve(receipts.find(KEY));
  assert.ok(await isPending(again), 'found before the sync has ended');
  goOn();
  assert.deepEqual(await Promise.all([first, again]), ['/items/1', '/items/1']);
});
