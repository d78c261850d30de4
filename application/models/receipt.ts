/**
 * Receipts in the database, in the shape that the framework's receipt store has: the path that a
 * form led to is written in the same transaction as what the form did. The same form again, at once,
 * later or after a crash, finds the receipt.
 */
import type { Database, Writing } from '../database/database.ts';

export interface ReceiptKey {
  /** The account, or 0 for a visitor without one. */
  readonly owner: number;
  readonly once: string;
  readonly digest: string;
}

export interface Receipts {
  readonly find: (key: ReceiptKey) => Promise<string | null>;
  readonly carryOut: (
    key: ReceiptKey | null,
    work: (transaction: Writing) => Promise<string>,
  ) => Promise<string>;
}

/** Milliseconds that a receipt is kept: nobody sends the same page again after that. */
const KEPT = 90 * 86_400_000;

export function createReceipts(database: Database): Receipts {
  return {
    find: (key) => findPath(database.read, key),
    carryOut: (key, work) =>
      database.write(async (transaction) => {
        if (key === null) return work(transaction);
        // Once more, behind the lock: the same form may have been carried out a moment ago.
        const earlier = await findPath(transaction, key);
        if (earlier !== null) return earlier;
        const path = await work(transaction);
        await keep(transaction, key, path);
        return path;
      }),
  };
}

async function findPath(
  database: Database['read'],
  { owner, once, digest }: ReceiptKey,
): Promise<string | null> {
  const receipt = await database
    .selectFrom('receipts')
    .select('path')
    .where('owner', '=', owner)
    .where('once', '=', once)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return receipt?.path ?? null;
}

async function keep(transaction: Writing, key: ReceiptKey, path: string): Promise<void> {
  const now = Date.now();
  const past = new Date(now - KEPT).toISOString();
  await transaction.deleteFrom('receipts').where('created_at', '<', past).execute();
  await transaction
    .insertInto('receipts')
    .values({ ...key, path, created_at: new Date(now).toISOString() })
    .execute();
}
