/**
 * Receipts in the database, in the shape that the framework's receipt store has: the path that a
 * form led to is written in the same transaction as what the form did. The same form again, at once,
 * later or after a crash, finds the receipt.
 *
 * The hard case: the same form on two instances at once. The receipt comes before the work: its key
 * is what the second one waits for, with both engines.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from './database.ts';
import type { Schema } from './schema.ts';
import type { Placeholders } from './statement.ts';

export interface ReceiptKey {
  /** The account, or 0 for a visitor without one. */
  readonly owner: number;
  readonly once: string;
  readonly digest: string;
}

export interface Receipts {
  /** What it finds is on disk. */
  readonly find: (key: ReceiptKey) => Promise<string | null>;
  readonly carryOut: (
    key: ReceiptKey | null,
    work: (transaction: Writing) => Promise<string>,
  ) => Promise<string>;
}

export function createReceipts(database: Database): Receipts {
  const findPath = database.statement(selectPath);
  const insert = database.statement(insertReceipt);
  const setPath = database.statement(updatePath);

  /**
   * Writes the receipt, still without a path. When the same form is being carried out elsewhere, this
   * waits for its end. Resolves to the path when that one, or an earlier one, succeeded.
   */
  const begin = async (transaction: Writing, key: ReceiptKey) => {
    const receipt = { ...key, createdAt: new Date().toISOString() };
    const inserted = await insert.run(transaction, receipt);
    if (inserted.length === 1) return null;
    const [earlier] = await findPath.run(transaction, key);
    return earlier?.path ?? null;
  };

  return {
    async find(key) {
      const receipt = await findPath.first(key);
      if (receipt === null) return null;
      // SQLite shows a commit that is not on disk yet; the next group is synced after it.
      await database.write(async () => {});
      return receipt.path;
    },
    carryOut: (key, work) =>
      database.write(async (transaction) => {
        if (key === null) return work(transaction);
        const earlier = await begin(transaction, key);
        if (earlier !== null) return earlier;
        const path = await work(transaction);
        await setPath.run(transaction, { ...key, path });
        return path;
      }),
  };
}

type KeyIn = Placeholders<ReceiptKey>;

function selectPath(database: Kysely<Schema>, { owner, once, digest }: KeyIn) {
  return database
    .selectFrom('receipts')
    .select('path')
    .where('owner', '=', owner)
    .where('once', '=', once)
    .where('digest', '=', digest);
}

function insertReceipt(
  database: Kysely<Schema>,
  { owner, once, digest, createdAt }: Placeholders<ReceiptKey & { readonly createdAt: string }>,
) {
  return database
    .insertInto('receipts')
    .values({ owner, once, digest, path: '', created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('path');
}

function updatePath(
  database: Kysely<Schema>,
  { owner, once, digest, path }: Placeholders<ReceiptKey & { readonly path: string }>,
) {
  return database
    .updateTable('receipts')
    .set({ path })
    .where('owner', '=', owner)
    .where('once', '=', once)
    .where('digest', '=', digest);
}
