/**
 * Browsers that an account has logged in from. Such a browser has a small allowance of tries of its
 * own, so that strangers who fail on purpose cannot lock a colleague out. It proves nothing else:
 * who steals the cookie of a device may guess a little, and no more.
 *
 * The hard case: one browser, one account. Each log-in gives the browser a new token, and the row
 * of the one it had before goes.
 */
import type { Database, Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import { DEVICE_LIFE } from '../database/remove-expired.ts';
import { createToken, isToken, toKey } from './token.ts';
import { toUsernameKey } from './username-key.ts';

export interface Devices {
  /**
   * The key of the device, when the account of that name has logged in with this token; or null.
   */
  readonly find: (token: string | null, username: string) => Promise<string | null>;
  /** Notes a log-in; resolves to the token that the browser shall carry from now on. */
  readonly renew: (token: string | null, accountId: number) => Promise<string>;
}

/** For an account; the one that was used longest ago goes. */
const MAX_DEVICES = 10;

export function createDevices(database: Database, now: () => Date = () => new Date()): Devices {
  const longAgo = () => new Date(now().getTime() - DEVICE_LIFE).toISOString();
  return {
    async find(token, username) {
      // Looked up even when there is no token: a browser without one must not be answered sooner.
      const row = await database.read
        .selectFrom('devices')
        .innerJoin('accounts', 'accounts.id', 'devices.account_id')
        .select('key')
        .where('key', '=', toKey(token ?? ''))
        .where('username_key', '=', toUsernameKey(username))
        .where('seen_at', '>', longAgo())
        .executeTakeFirst();
      return row?.key ?? null;
    },
    renew: (token, accountId) =>
      database.write(async (transaction) => {
        await engineOf(transaction).lockRow(transaction, 'accounts', 'id', accountId);
        const renewed = createToken();
        if (token !== null && isToken(token))
          await transaction.deleteFrom('devices').where('key', '=', toKey(token)).execute();
        const row = { key: toKey(renewed), account_id: accountId, seen_at: now().toISOString() };
        await transaction.insertInto('devices').values(row).execute();
        await removeOldest(transaction, accountId, row.key);
        return renewed;
      }),
  };
}

async function removeOldest(
  transaction: Writing,
  accountId: number,
  newest: string,
): Promise<void> {
  const rows = await transaction
    .selectFrom('devices')
    .select('key')
    .where('account_id', '=', accountId)
    .where('key', '!=', newest)
    .orderBy('seen_at', 'desc')
    .execute();
  const keys = rows.slice(MAX_DEVICES - 1).map(({ key }) => key);
  if (keys.length > 0) await transaction.deleteFrom('devices').where('key', 'in', keys).execute();
}

/** Forgets every device of the account, and the tries that failed there. */
export async function forgetDevices(transaction: Writing, accountId: number): Promise<void> {
  const rows = await transaction
    .deleteFrom('devices')
    .where('account_id', '=', accountId)
    .returning('key')
    .execute();
  const subjects = rows.map(({ key }) => `device:${key}`);
  if (subjects.length > 0)
    await transaction.deleteFrom('failed_log_ins').where('subject', 'in', subjects).execute();
}
