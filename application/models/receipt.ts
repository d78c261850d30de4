/**
 * Receipts in the database, in the shape that the framework's receipt store has: the path that a
 * form led to is written in the same transaction as what the form did. The same form again, at once,
 * later or after a crash, finds the receipt.
 *
 * The hard case: the same form on two instances at once. The receipt comes before the work: its key
 * is what the second one waits for, with both engines.
 */
import type { Database, Writing } from '../database/database.ts';
import { send } from '../database/send.ts';

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
/** Milliseconds until older ones are removed again, with the form that is sent then. */
const REMOVED_EVERY = 3_600_000;

export function createReceipts(database: Database): Receipts {
  let removedAt = 0;
  const removeOld = async (transaction: Writing) => {
    const now = Date.now();
    if (now - removedAt < REMOVED_EVERY) return;
    removedAt = now;
    const past = new Date(now - KEPT).toISOString();
    await send(transaction, transaction.deleteFrom('receipts').where('created_at', '<', past));
  };

  return {
    find: (key) => findPath(database.read, key),
    carryOut: (key, work) =>
      database.write(async (transaction) => {
        if (key === null) return work(transaction);
        await removeOld(transaction);
        const earlier = await begin(transaction, key);
        if (earlier !== null) return earlier;
        const path = await work(transaction);
        await finish(transaction, key, path);
        return path;
      }),
  };
}

/**
 * Writes the receipt, still without a path. When the same form is being carried out elsewhere, this
 * waits for its end. Resolves to the path when that one, or an earlier one, succeeded.
 */
async function begin(transaction: Writing, key: ReceiptKey): Promise<string | null> {
  const rows = await transaction
    .insertInto('receipts')
    .values({ ...key, path: '', created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('path')
    .execute();
  return rows.length === 1 ? null : findPath(transaction, key);
}

function finish(transaction: Writing, key: ReceiptKey, path: string): Promise<void> {
  const { owner, once, digest } = key;
  return send(
    transaction,
    transaction
      .updateTable('receipts')
      .set({ path })
      .where('owner', '=', owner)
      .where('once', '=', once)
      .where('digest', '=', digest),
  );
}

async function findPath(database: Database['read'], key: ReceiptKey): Promise<string | null> {
  const { owner, once, digest } = key;
  const receipt = await database
    .selectFrom('receipts')
    .select('path')
    .where('owner', '=', owner)
    .where('once', '=', once)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return receipt?.path ?? null;
}
