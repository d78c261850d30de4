/**
 * Receipts make a form count once: the result is written in the same transaction as what the form
 * did, under the account, the form's key and a digest of its fields. The same form again, at once,
 * later or after a crash, finds the receipt; the same key with other fields is another form.
 */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';

export interface ReceiptKey {
  readonly accountId: number;
  readonly once: string;
  readonly digest: string;
}

/** Milliseconds that a receipt is kept: nobody sends the same page again after that. */
const KEPT = 90 * 86_400_000;

/** Runs `work` unless the form was carried out before; its result either way. */
export async function onlyOnce(
  transaction: Transaction<Schema>,
  key: ReceiptKey | null,
  work: () => Promise<string>,
): Promise<string> {
  if (key === null) return work();
  const earlier = await transaction
    .selectFrom('receipts')
    .select('path')
    .where('owner', '=', key.accountId)
    .where('once', '=', key.once)
    .where('digest', '=', key.digest)
    .executeTakeFirst();
  if (earlier !== undefined) return earlier.path;
  const result = await work();
  const now = Date.now();
  await transaction
    .insertInto('receipts')
    .values({
      owner: key.accountId,
      once: key.once,
      digest: key.digest,
      path: result,
      created_at: new Date(now).toISOString(),
    })
    .execute();
  await transaction
    .deleteFrom('receipts')
    .where('created_at', '<', new Date(now - KEPT).toISOString())
    .execute();
  return result;
}
