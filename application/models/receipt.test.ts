import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { openDatabase } from '../database/open-database.ts';
import { addAccount, openTestDatabase } from '../testing/open-test-database.ts';
import { createItems, type ItemInput } from './item.ts';
import type { ReceiptKey } from './receipt.ts';

const DRILL: ItemInput = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const KEY: ReceiptKey = { accountId: 1, once: 'page-one', digest: 'a'.repeat(64) };
const DAY = 86_400_000;

async function openItems(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, 1, 'ada');
  await addAccount(database, 2, 'bo');
  const items = createItems(database);
  const countItems = async () => (await items.list(1)).itemCount;
  const countReceipts = async () =>
    (await database.read.selectFrom('receipts').selectAll().execute()).length;
  return { database, items, countItems, countReceipts };
}

test('the same form again gives the same item', async (t) => {
  const { items, countItems } = await openItems(t);
  const number = await items.create(DRILL, 1, KEY);
  assert.equal(await items.create(DRILL, 1, KEY), number);
  await items.create(DRILL, 1, null);
  assert.equal(await items.create(DRILL, 1, KEY), number);
  assert.equal(await countItems(), 2);
});

test('the same form many times at once is one item', async (t) => {
  const { items, countItems } = await openItems(t);
  const numbers = await Promise.all(Array.from({ length: 50 }, () => items.create(DRILL, 1, KEY)));
  assert.deepEqual(new Set(numbers), new Set([1]));
  assert.equal(await countItems(), 1);
});

test('the same form by way of another instance gives the same item', async (t) => {
  const { database, items, countItems } = await openItems(t);
  const other = await openDatabase(`sqlite:${database.file}`);
  t.after(() => other.close());
  const number = await items.create(DRILL, 1, KEY);
  assert.equal(await createItems(other).create(DRILL, 1, KEY), number);
  assert.equal(await countItems(), 1);
});

test('the same key with other fields is another item', async (t) => {
  const { items } = await openItems(t);
  const other = { ...KEY, digest: 'b'.repeat(64) };
  assert.equal(await items.create(DRILL, 1, KEY), 1);
  assert.equal(await items.create(DRILL, 1, other), 2);
  assert.equal(await items.create(DRILL, 1, KEY), 1);
  assert.equal(await items.create(DRILL, 1, other), 2);
});

test('another key with the same fields is another item', async (t) => {
  const { items } = await openItems(t);
  assert.equal(await items.create(DRILL, 1, KEY), 1);
  assert.equal(await items.create(DRILL, 1, { ...KEY, once: 'page-two' }), 2);
});

test('the same form from another account is another item', async (t) => {
  const { items } = await openItems(t);
  assert.equal(await items.create(DRILL, 1, KEY), 1);
  assert.equal(await items.create(DRILL, 2, { ...KEY, accountId: 2 }), 2);
});

test('without a key each form is an item of its own, and leaves no receipt', async (t) => {
  const { items, countReceipts } = await openItems(t);
  assert.equal(await items.create(DRILL, 1, null), 1);
  assert.equal(await items.create(DRILL, 1, null), 2);
  assert.equal(await countReceipts(), 0);
});

test('a form that failed leaves no receipt, and can be sent again', async (t) => {
  const { items, countReceipts } = await openItems(t);
  const broken = { ...DRILL, name: null as never };
  await assert.rejects(items.create(broken, 1, KEY), /NOT NULL/);
  assert.equal(await countReceipts(), 0);
  assert.equal(await items.create(DRILL, 1, KEY), 1);
});

test('a receipt that could not be written takes its item back', async (t) => {
  const { items, countItems } = await openItems(t);
  await assert.rejects(items.create(DRILL, 1, { ...KEY, digest: null as never }), /NOT NULL/);
  assert.equal(await countItems(), 0);
  assert.equal(await items.create(DRILL, 1, KEY), 1);
});

test('receipts are kept for 90 days', async (t) => {
  const { database, items } = await openItems(t);
  const receipt = (once: string, days: number) => ({
    owner: 1,
    once,
    digest: KEY.digest,
    path: '1',
    created_at: new Date(Date.now() - days * DAY).toISOString(),
  });
  await database.write((transaction) =>
    transaction
      .insertInto('receipts')
      .values([receipt('older', 91), receipt('younger', 89)])
      .execute(),
  );
  await items.create(DRILL, 1, KEY);
  const kept = await database.read.selectFrom('receipts').select('once').orderBy('once').execute();
  assert.deepEqual(
    kept.map(({ once }) => once),
    ['page-one', 'younger'],
  );
});
