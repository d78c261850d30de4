/**
 * The version of an account changes with its password. A log-in takes time, and the password may
 * change after it was checked. Then the versions differ, and the log-in is refused.
 */
import { hash } from 'node:crypto';
import type { KyselyTransaction } from '../database/kysely.ts';

export function toVersion(passwordHash: string): string {
  return hash('sha256', passwordHash, 'hex');
}

/** Whether the account has this version and is not disabled. Lock its row first. */
export async function isCurrent(
  transaction: KyselyTransaction,
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
