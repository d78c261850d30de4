/**
 * Who may manage people. Every change takes the lock for accounts first and reads afterwards, so of two
 * changes at once the second one sees what the first has left.
 */
import type { Kysely } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import { lockRows, takeLock } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { isOpenSession } from './stores.ts';

/** The account and the session that make a change; null for the terminal. */
export type Actor = { readonly id: number; readonly sessionKey: string } | null;

/** Takes the lock. False if the session has ended, or its account is no administrator any more. */
export async function mayManage(transaction: KyselyTransaction, actor: Actor): Promise<boolean> {
  await takeLock(transaction, 'accounts');
  if (actor === null) return true;
  // A change of password locks the row too: so either it withdraws what this transaction creates, or
  // this transaction finds that the session has ended.
  await lockRows(transaction, 'accounts', [actor.id]);
  const row = await selectAdministrators(transaction)
    .select('id')
    .where('id', '=', actor.id)
    .executeTakeFirst();
  return row !== undefined && (await isOpenSession(transaction, actor.id, actor.sessionKey));
}

/** Whether nobody else is an administrator who can log in. Take the lock first: see `mayManage`. */
export async function isOnlyAdministrator(
  transaction: KyselyTransaction,
  id: number,
): Promise<boolean> {
  const other = await selectAdministrators(transaction)
    .select('id')
    .where('id', '!=', id)
    .executeTakeFirst();
  return other === undefined;
}

export function selectAdministrators(database: Kysely<Schema>) {
  return database
    .selectFrom('accounts')
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null);
}
