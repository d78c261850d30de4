/** The framework's receipts in the application's table, with transactions of Kysely. */
import { createReceiptStore } from 'seeother/database';
import type { Database, Writing } from './database.ts';
import { createTransaction } from './kysely.ts';

type Store = ReturnType<typeof createReceiptStore>;
export type ReceiptKey = Parameters<Store['find']>[0];

export interface Receipts {
  readonly find: Store['find'];
  readonly carryOut: (
    key: ReceiptKey | null,
    work: (transaction: Writing) => Promise<string>,
  ) => Promise<string>;
}

export function createReceipts({ door, engine }: Database): Receipts {
  const { find, carryOut } = createReceiptStore(door, { table: 'receipts' });
  return {
    find,
    carryOut: (key, work) =>
      carryOut(key, (connection) => work(createTransaction(engine, connection))),
  };
}
