/**
 * Receipts in a table. A receipt has the path that a form led to, and is written in the form's own transaction. A
 * copy of the form finds it, whether it arrives at once, later or after a crash. The receipt is inserted before the
 * form's work, so that a copy on another instance waits for its key.
 */
import type { ReceiptKey, ReceiptStore } from '../once/receipt-store.ts';
import type { Connection, Database, WriteTransaction } from './database.ts';
import { openTable } from './tables.ts';

/** Milliseconds until a receipt expires: no user sends the same form again after that. */
const LIFE = 90 * 86_400_000;
const DAY = 86_400_000;

/**
 * The store for `onlyOnce`. It creates the table `seeother_receipts` when it is first used, and removes receipts
 * after 90 days. With `table`, an SQL name, it uses an existing table with the same columns, and removes nothing.
 */
export function createReceiptStore<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
  table: string | null = null,
): ReceiptStore<Transaction> {
  const { name, prepare, write, sweep } = openTable(
    database,
    table,
    'seeother_receipts',
    (name) => [
      `create table if not exists ${name} (owner text not null, once text not null,
        digest text not null, path text not null, created_at text not null,
        primary key (owner, once, digest))`,
      `create index if not exists ${name}_by_time on ${name} (created_at)`,
    ],
    { column: 'created_at', after: LIFE, every: DAY },
  );
  const select = `select path from ${name} where owner = ? and once = ? and digest = ?`;
  const insert = `insert into ${name} (owner, once, digest, path, created_at)
    values (?, ?, ?, '', ?) on conflict do nothing`;
  const setPath = `update ${name} set path = ? where owner = ? and once = ? and digest = ?`;

  const findIn = async ({ run }: Connection, key: ReceiptKey): Promise<string | null> => {
    const values = [String(key.owner), key.once, key.digest];
    return (await run<{ readonly path: string }>(select, values)).rows[0]?.path ?? null;
  };

  return {
    async find(key) {
      await prepare();
      const path = await findIn(database.read, key);
      // On SQLite, a read may see a commit that is not on disk yet. A further write waits for its sync.
      if (path !== null) await database.write(async () => {});
      return path;
    },
    carryOut: (key, work) =>
      write(async (transaction) => {
        if (key === null) return work(transaction);
        const { run } = transaction;
        const values = [String(key.owner), key.once, key.digest];
        // On PostgreSQL, this waits while another instance carries out the same form. On SQLite, the transaction has
        // waited for its lock.
        const inserted = await run(insert, [...values, new Date().toISOString()]);
        if (inserted.changes === 0) return requirePath(await findIn(transaction, key));
        const path = await work(transaction);
        await run(setPath, [path, ...values]);
        await sweep(transaction);
        return path;
      }),
  };
}

/** The receipt that the insert has met: nothing removes it within the transaction. */
function requirePath(path: string | null): string {
  if (path !== null) return path;
  throw new Error('Cannot repeat the answer of a form: its receipt was there, and is not found.');
}
