/** The receipts in the database are a receipt store of the framework. */
import { describeReceiptStore } from '../../framework/src/form/receipt-store.contract.ts';
import { ENGINES, openTestDatabase } from '../testing/open-test-database.ts';
import type { Writing } from './database.ts';
import { createReceipts } from './receipt.ts';

for (const { engine, name, skip } of ENGINES) {
  if (skip) continue;
  describeReceiptStore<Writing>(`the store in ${name}`, async (t) => {
    const database = await openTestDatabase(t, engine);
    return {
      store: createReceipts(database),
      // Any table will do.
      async write(transaction, text) {
        await transaction.insertInto('counters').values({ name: text, value: 1 }).execute();
      },
      async written() {
        const rows = await database.read.selectFrom('counters').select('name').execute();
        return rows.map(({ name }) => name).toSorted();
      },
    };
  });
}
