/**
 * What the owner of an account is told after the next log-in: that the password or the role was changed. A change
 * writes its notice in its own transaction. The log-in that shows the notice deletes it in the transaction that
 * stores the session. So no notice is lost, and each is shown once.
 */
import type { Kysely } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Notice } from '../site/session-user.ts';

/** Replaces an earlier notice of the same kind. */
export async function addNotice(
  transaction: KyselyTransaction,
  accountId: number,
  { kind, at, detail }: Notice,
): Promise<void> {
  await transaction
    .insertInto('account_notices')
    .values({ account_id: accountId, kind, at, detail })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet({ at, detail }))
    .execute();
}

/** The notice about the password comes first. */
export function findNotices(
  database: Kysely<Schema>,
  accountId: number,
): Promise<readonly Notice[]> {
  return database
    .selectFrom('account_notices')
    .select(['kind', 'at', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('kind')
    .execute();
}

/** Deletes the notices that are shown. A newer one of the same kind stays. */
export async function deleteNotices(
  transaction: KyselyTransaction,
  accountId: number,
  shown: readonly Notice[],
): Promise<void> {
  for (const { kind, at } of shown)
    await transaction
      .deleteFrom('account_notices')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('at', '=', at)
      .execute();
}
