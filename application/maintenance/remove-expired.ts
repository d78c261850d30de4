/**
 * Removes expired sessions, devices, receipts and imports, and the content of deleted items. A wrong
 * clock must not remove valid rows, so each sweep removes only what had already expired at the previous sweep, at
 * least 22 hours before. The time of the previous sweep is in the database, for all instances and across restarts.
 *
 * So a clock that is ahead for less than 22 hours removes nothing too early, however far ahead it is.
 */
import { DEVICE_LIFE } from 'seeother/accounts';
import type { KyselyTransaction } from '../database/kysely.ts';
import { clearEmptyBatches } from '../items/remove/remove-copies.ts';
import { clearItems } from '../items/remove/remove-values.ts';

/** Minimum milliseconds between two sweeps. Two nights are 23 hours apart when clocks are put forward. */
const INTERVAL = 22 * 3_600_000;
/** Milliseconds that a deleted item can be restored. */
const BIN_LIFE = 30 * 86_400_000;
/** Milliseconds until a receipt expires: no user sends the same form again after that. */
const RECEIPT_LIFE = 90 * 86_400_000;

export async function removeExpired(transaction: KyselyTransaction, now: Date): Promise<void> {
  const time = now.getTime();
  const row = await transaction
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'last sweep')
    .executeTakeFirst();
  const last = row?.value;
  const wasSetBack = last !== undefined && time < last;
  if (last !== undefined && !wasSetBack && time - last < INTERVAL) return;
  await transaction
    .insertInto('counters')
    .values({ name: 'last sweep', value: time })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: time }))
    .execute();
  if (last === undefined || wasSetBack) return;
  const ago = (milliseconds: number) => new Date(last - milliseconds).toISOString();
  await transaction.deleteFrom('sessions').where('ends_at', '<=', ago(0)).execute();
  // So a preview and a result are there for 22 hours at least.
  await transaction
    .deleteFrom('imports')
    .where('state', '<>', 'importing')
    .where('updated_at', '<=', ago(0))
    .execute();
  await transaction.deleteFrom('devices').where('seen_at', '<=', ago(DEVICE_LIFE)).execute();
  await transaction.deleteFrom('receipts').where('created_at', '<=', ago(RECEIPT_LIFE)).execute();
  await emptyBin(transaction, ago(BIN_LIFE));
  // The pictures' own sweep removes them, with their bytes: see items/files/sweep-files.ts.
  await transaction
    .updateTable('item_files')
    .set({ removed_at: '' })
    .where('removed_at', '<=', ago(BIN_LIFE))
    .where('removed_at', '<>', '')
    .execute();
}

/** Only who did what and when remain. */
async function emptyBin(transaction: KyselyTransaction, deletedBefore: string): Promise<void> {
  const expired = await transaction
    .selectFrom('item_events')
    .select('item_number as number')
    .where('snapshot', 'is not', null)
    .where('at', '<=', deletedBefore)
    .execute();
  const batches = await clearItems(
    transaction,
    expired.map(({ number }) => number),
  );
  await clearEmptyBatches(transaction, batches);
}
