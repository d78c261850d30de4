/**
 * Receipts in the database, in the shape that the framework's receipt store has: the path that a
 * form led to is written in the same transaction as what the form did. The same form again, at once,
 * later or after a crash, finds the receipt.
 *
 * The hard case: the same form on two instances at once. The receipt comes before the work: its key
 * is what the second one waits for, with both engines.
 */
import type { Database, Writing } from '../database/database.ts';
import { isTaken } from '../database/engine.ts';
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
/** Milliseconds until older ones are removed again, if a form is sent. */
const REMOVED_EVERY = 3_600_000;

export function createReceipts(database: Database): Receipts {
  let removedAt = 0;
  const removeOld = async (transaction: Writing, now: number) => {
    if (now - removedAt < REMOVED_EVERY) return;
    removedAt = now;
    const past = new Date(now - KEPT).toISOString();
    await send(transaction, transaction.deleteFrom('receipts').where('created_at', '<', past));
  };
  const find = (key: ReceiptKey) => findPath(database.read, key);

  return {
    find,
    async carryOut(key, work) {
      if (key === null) return database.write(work);
      for (;;) {
        try {
          return await database.write(async (transaction) => {
            await removeOld(transaction, Date.now());
            await begin(transaction, key);
            const path = await work(transaction);
            await finish(transaction, key, path);
            return path;
          });
        } catch (error) {
          if (!isTaken(error, 'receipts')) throw error;
          const earlier = await find(key);
          if (earlier !== null) return earlier;
        }
      }
    },
  };
}

/**
 * Writes the receipt, still without a path. When the same form is being carried out elsewhere, this
 * waits for its end; when it was carried out, this and the work fail.
 */
function begin(transaction: Writing, key: ReceiptKey): Promise<void> {
  const row = { ...key, path: '', created_at: new Date().toISOString() };
  return send(transaction, transaction.insertInto('receipts').values(row));
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
