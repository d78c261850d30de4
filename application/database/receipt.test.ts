import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ReceiptKey } from 'seeother/database';
import { openStores } from '../accounts/stores.ts';
import { createItems } from '../items/item.ts';
import type { NewItem } from '../items/item-rows.ts';
import { openAnother, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import type { Database } from './kysely.ts';

const DRILL: NewItem = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const KEY: ReceiptKey = { owner: 1, once: 'page-one', digest: 'a'.repeat(64) };

/** Sends the form of an item: resolves to the number of the item that it made, or had made. */
function createSender(database: Database) {
  const receipts = openStores(database).receipts;
  const items = createItems(database);
  return (input = DRILL, key: ReceiptKey | null = KEY) =>
    receipts.carryOut(key, async (transaction) =>
      String(await items.create(transaction, input, null)),
    );
}

async function openSite(t: TestContext) {
  const database = await openTestDatabase(t);
  const countRows = async (table: 'items' | 'receipts') =>
    (await database.read.selectFrom(table).selectAll().execute()).length;
  return { database, send: createSender(database), countRows };
}

testOnEngines('the same form by way of another instance gives the same item', async (t) => {
  const { database, send, countRows } = await openSite(t);
  const other = await openAnother(t, database);
  assert.equal(await send(), '1');
  assert.equal(await createSender(other)(), '1');
  assert.equal(await countRows('items'), 1);
});

testOnEngines(
  'an item that could not be stored leaves no receipt, and the form can be sent again',
  async (t) => {
    const { send, countRows } = await openSite(t);
    await assert.rejects(send({ ...DRILL, name: '' }), /check constraint.*items_name/i);
    assert.equal(await countRows('receipts'), 0);
    assert.equal(await send(), '1');
  },
);

testOnEngines('an item whose receipt could not be written is not saved', async (t) => {
  const { send, countRows } = await openSite(t);
  await assert.rejects(send(DRILL, { ...KEY, digest: null as never }), /not.null/i);
  assert.equal(await countRows('items'), 0);
  assert.equal(await send(), '1');
});
