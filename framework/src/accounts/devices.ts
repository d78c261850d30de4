/**
 * Devices: browsers in which an account has logged in before. The throttle counts their failed attempts apart from
 * others, so an attacker who fails on purpose cannot lock the user out. The cookie of a device logs nobody in: a thief
 * of the cookie only gets a few guesses.
 *
 * Each log-in gives the browser a new token and deletes the row of its old one, so a browser is a device of one account
 * only. Call `renew` when all factors are proved, never after the password alone.
 */
import type { Connection, Database, WriteTransaction } from '../database/database.ts';
import { openTable } from '../database/tables.ts';
import { createToken, isToken, toTokenKey } from '../session/token.ts';

/** The browsers of the accounts. A transaction passed in commits or rolls back the change. */
export interface Devices<Transaction = WriteTransaction> {
  /**
   * The key of the device if the account has logged in with this token, or null. It runs the same query without a
   * token, and without an account, so that all browsers and names get an answer equally fast.
   */
  readonly find: (
    token: string | null,
    accountId: number | string | null,
  ) => Promise<string | null>;
  /** Records a log-in. Resolves to the new token of the browser. */
  readonly renew: (
    token: string | null,
    accountId: number | string,
    transaction?: Transaction,
  ) => Promise<string>;
  /** Deletes the devices of the account. Resolves to their keys, for `forget` of the throttle. */
  readonly forget: (
    accountId: number | string,
    transaction?: Transaction,
  ) => Promise<readonly string[]>;
}

export interface DeviceOptions {
  /**
   * The SQL name of a table of your own, with the columns `key`, `account_id` and `seen_at`. Expired rows stay in it.
   * By default `seeother_account_devices`, which is created when it is first used.
   */
  readonly table?: string;
  readonly now?: () => Date;
}

const DAY = 86_400_000;
/** Milliseconds without a log-in until a device expires. */
export const DEVICE_LIFE: number = 365 * DAY;
/** Devices of one account. A further one deletes the least recently used. */
const MAX_DEVICES = 10;

/** In the table of the options, or in one that is created when it is first used. */
export function createDevices<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
  { table: existing, now = () => new Date() }: DeviceOptions = {},
): Devices<Transaction> {
  const { name, read, write, sweep } = openTable(
    database,
    existing ?? null,
    'seeother_account_devices',
    toCreate,
    { column: 'seen_at', after: DEVICE_LIFE, every: DAY },
  );
  /** Two log-ins at once could otherwise both find the tenth device the last one. */
  const lock = async ({ run }: Connection, accountId: number | string): Promise<void> => {
    if (database.engine === 'postgres')
      await run('select pg_advisory_xact_lock(5334305, hashtext(?))', [String(accountId)]);
  };

  return {
    async find(token, accountId) {
      const longAgo = new Date(now().getTime() - DEVICE_LIFE).toISOString();
      const [row] = await read<{ readonly key: string }>(
        `select key from ${name} where key = ? and account_id = ? and seen_at > ?`,
        [toTokenKey(token ?? ''), accountId, longAgo],
      );
      return row?.key ?? null;
    },
    renew: (token, accountId, within) =>
      write(async (transaction) => {
        const { run } = transaction;
        await lock(transaction, accountId);
        await sweep(transaction, now().getTime());
        const renewed = createToken();
        const key = toTokenKey(renewed);
        if (token !== null && isToken(token))
          await run(`delete from ${name} where key = ?`, [toTokenKey(token)]);
        await run(`insert into ${name} (key, account_id, seen_at) values (?, ?, ?)`, [
          key,
          accountId,
          now().toISOString(),
        ]);
        await run(
          `delete from ${name} where account_id = ? and key not in (select key from ${name}
            where account_id = ? order by key = ? desc, seen_at desc limit ${MAX_DEVICES})`,
          [accountId, accountId, key],
        );
        return renewed;
      }, within),
    forget: (accountId, within) =>
      write(async ({ run }) => {
        const { rows } = await run<{ readonly key: string }>(
          `delete from ${name} where account_id = ? returning key`,
          [accountId],
        );
        return rows.map(({ key }) => key);
      }, within),
  };
}

const toCreate = (name: string): readonly string[] => [
  `create table if not exists ${name} (
    key text not null primary key, account_id bigint not null, seen_at text not null)`,
  `create index if not exists ${name}_by_account on ${name} (account_id, seen_at)`,
  `create index if not exists ${name}_by_time on ${name} (seen_at)`,
];
