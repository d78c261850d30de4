/**
 * Devices: browsers in which an account has logged in before. The throttle counts their failed
 * log-ins apart from others, so an attacker who fails on purpose cannot lock the user out. The
 * cookie of a device logs nobody in: a thief of the cookie only gets a few guesses.
 *
 * Each log-in gives the browser a new token and deletes the row of its old one, so a browser is a
 * device of one account only.
 */
import { createToken, isToken, toTokenKey } from 'seeother';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import { toUsernameKey } from './username-key.ts';

export interface Devices {
  /** The key of the device if the account of that name has logged in with this token, or null. */
  readonly find: (token: string | null, username: string) => Promise<string | null>;
  /** Records a log-in. Resolves to the new token of the browser. */
  readonly renew: (token: string | null, accountId: number) => Promise<string>;
}

/** Milliseconds without a log-in until a device expires. */
export const DEVICE_LIFE = 365 * 86_400_000;
/** Devices of one account. A further one deletes the least recently used. */
const MAX_DEVICES = 10;

export function createDevices(database: Database, now: () => Date = () => new Date()): Devices {
  const longAgo = () => new Date(now().getTime() - DEVICE_LIFE).toISOString();
  return {
    async find(token, username) {
      // Runs without a token too, so that browsers with and without one get a response equally
      // fast.
      const row = await database.read
        .selectFrom('devices')
        .innerJoin('accounts', 'accounts.id', 'devices.account_id')
        .select('key')
        .where('key', '=', toTokenKey(token ?? ''))
        .where('username_key', '=', toUsernameKey(username))
        .where('seen_at', '>', longAgo())
        .executeTakeFirst();
      return row?.key ?? null;
    },
    renew: (token, accountId) =>
      database.write(async (transaction) => {
        await lockRows(transaction, 'accounts', [accountId]);
        const renewed = createToken();
        if (token !== null && isToken(token))
          await transaction.deleteFrom('devices').where('key', '=', toTokenKey(token)).execute();
        const row = {
          key: toTokenKey(renewed),
          account_id: accountId,
          seen_at: now().toISOString(),
        };
        await transaction.insertInto('devices').values(row).execute();
        await removeOldest(transaction, accountId, row.key);
        return renewed;
      }),
  };
}

async function removeOldest(
  transaction: KyselyTransaction,
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

/** Deletes the devices of the account and their failed log-ins. */
export async function forgetDevices(
  transaction: KyselyTransaction,
  accountId: number,
): Promise<void> {
  const rows = await transaction
    .deleteFrom('devices')
    .where('account_id', '=', accountId)
    .returning('key')
    .execute();
  const subjects = rows.map(({ key }) => `device:${key}`);
  if (subjects.length > 0)
    await transaction.deleteFrom('failed_log_ins').where('subject', 'in', subjects).execute();
}
