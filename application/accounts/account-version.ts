/**
 * The version of an account, which changes with its password. A log-in takes time: when the password
 * was changed after it was checked, the versions differ, and nothing is done with the old one.
 */
import type { Writing } from '../database/database.ts';
import { toKey } from './token.ts';

export function toVersion(passwordHash: string): string {
  return toKey(passwordHash);
}

/** Whether the account still has this version, and can be logged in to. Lock its row before. */
export async function isCurrent(
  transaction: Writing,
  accountId: number,
  version: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined && toVersion(row.password_hash) === version;
}
