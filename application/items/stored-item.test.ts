/** Items that a transaction locks in order to change them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { KyselyPlugin } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import {
  addAccount,
  addItem,
  ENGINES,
  openAnother,
  openTestDatabase,
} from '../testing/open-test-database.ts';
import { bringBackItem, removeItem } from './delete/delete-items.ts';
import { lockItem, lockItems } from './stored-item.ts';

const ADA = 1;
const THING = { name: 'Thing', description: '', quantity: 5, location: '', tags: [] };

for (const { engine, skip } of ENGINES.filter((one) => one.engine === 'postgres')) {
  test('an item that comes back after the lock was taken is not there for the transaction', {
    skip,
  }, async (t) => {
    const database = await openTestDatabase(t, engine);
    await addAccount(database, ADA, 'ada');
    const number = await addItem(database, THING, ADA);
    const other = await openAnother(t, database);
    const restore = () => other.write((transaction) => bringBackItem(transaction, number, ADA));
    const reads = [
      async (transaction: KyselyTransaction) => (await lockItem(transaction, number)) !== null,
      async (transaction: KyselyTransaction) => (await lockItems(transaction, [number])).size > 0,
    ];
    for (const isThere of reads) {
      await database.write((transaction) => removeItem(transaction, number, ADA));
      const found = await database.write((transaction) => {
        const { run, atEnd, onCommit } = transaction;
        const slowed = transaction.withPlugin(afterFirst(restore));
        return isThere(Object.assign(slowed, { run, atEnd, onCommit }));
      });
      assert.equal(found, false);
    }
  });
}

/** Does something else between the first statement and the second. */
function afterFirst(run: () => Promise<unknown>): KyselyPlugin {
  let isFirst = true;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false;
        await run();
      }
      return result;
    },
  };
}
