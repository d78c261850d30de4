/** The rows of passkeys. Write them in a transaction that has locked the account. */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import type { NewPasskey } from '../passkeys/verify-added.ts';
import type { VerifiedSignIn } from '../passkeys/verify-sign-in.ts';
import { TABLES } from './account-tables.ts';

export interface Passkey {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly transports: readonly string[];
  /** Whether it is on other devices too. */
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

export interface AccountPasskeys {
  readonly find: (id: string) => Promise<Passkey | null>;
  /** The oldest first. */
  readonly list: (accountId: number, connection?: Connection) => Promise<readonly Passkey[]>;
  /** False if an account has it already. */
  readonly add: (
    transaction: WriteTransaction,
    accountId: number,
    passkey: NewPasskey & { readonly name: string },
  ) => Promise<boolean>;
  /**
   * Counts a log-in with it. `copied`: its counter has not grown, so somebody has a copy of it; `gone`: it was removed.
   */
  readonly use: (
    transaction: WriteTransaction,
    passkey: Pick<Passkey, 'id' | 'accountId'>,
    proved: VerifiedSignIn,
  ) => Promise<'used' | 'copied' | 'gone'>;
  readonly rename: (
    transaction: WriteTransaction,
    passkey: Pick<Passkey, 'id' | 'accountId'>,
    name: string,
  ) => Promise<void>;
  readonly remove: (
    transaction: WriteTransaction,
    passkey: Pick<Passkey, 'id' | 'accountId'>,
  ) => Promise<void>;
  readonly removeAll: (transaction: WriteTransaction, accountId: number) => Promise<void>;
}

const COLUMNS = `id, account_id, name, public_key, counter, transports, backed_up, created_at, used_at`;

export function createAccountPasskeys(
  table: Table<WriteTransaction>,
  now: () => Date,
): AccountPasskeys {
  const { passkeys } = TABLES;
  const select = `select ${COLUMNS} from ${passkeys}`;
  return {
    async find(id) {
      const [row] = await table.read<Row>(`${select} where id = ?`, [id]);
      return row === undefined ? null : toPasskey(row);
    },
    async list(accountId, connection) {
      const sql = `${select} where account_id = ? order by created_at, id`;
      const rows =
        connection === undefined
          ? await table.read<Row>(sql, [accountId])
          : (await connection.run<Row>(sql, [accountId])).rows;
      return rows.map(toPasskey);
    },
    async add({ run }, accountId, { id, name, publicKey, counter, transports, isBackedUp }) {
      const { rows } = await run(
        `insert into ${passkeys} (id, account_id, name, public_key, counter, transports, backed_up,
          created_at) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
        [
          id,
          accountId,
          name,
          Buffer.from(publicKey).toString('base64url'),
          counter,
          transports.join(' '),
          isBackedUp ? 1 : 0,
          now().toISOString(),
        ],
      );
      return rows.length === 1;
    },
    async use({ run }, { id, accountId }, { counter, isBackedUp }) {
      const place = [id, accountId];
      const { rows } = await run<Pick<Row, 'counter'>>(
        `select counter from ${passkeys} where id = ? and account_id = ?`,
        place,
      );
      if (rows[0] === undefined) return 'gone';
      const before = Number(rows[0].counter);
      // Passkeys that are on several devices do not count: they always say 0.
      if (before > 0 && counter <= before) return 'copied';
      await run(
        `update ${passkeys} set counter = ?, backed_up = ?, used_at = ? where id = ? and account_id = ?`,
        [counter, isBackedUp ? 1 : 0, now().toISOString(), ...place],
      );
      return 'used';
    },
    async rename({ run }, { id, accountId }, name) {
      await run(`update ${passkeys} set name = ? where id = ? and account_id = ?`, [
        name,
        id,
        accountId,
      ]);
    },
    async remove({ run }, { id, accountId }) {
      await run(`delete from ${passkeys} where id = ? and account_id = ?`, [id, accountId]);
    },
    async removeAll({ run }, accountId) {
      await run(`delete from ${passkeys} where account_id = ?`, [accountId]);
    },
  };
}

interface Row {
  readonly id: string;
  readonly account_id: number | bigint | string;
  readonly name: string;
  readonly public_key: string;
  readonly counter: number | bigint | string;
  readonly transports: string;
  readonly backed_up: number;
  readonly created_at: string;
  readonly used_at: string | null;
}

function toPasskey(row: Row): Passkey {
  const { id, name, public_key, transports, created_at, used_at } = row;
  return {
    id,
    accountId: Number(row.account_id),
    name,
    publicKey: Buffer.from(public_key, 'base64url'),
    transports: transports.split(' ').filter((one) => one !== ''),
    isBackedUp: row.backed_up === 1,
    createdAt: new Date(created_at),
    usedAt: used_at === null ? null : new Date(used_at),
  };
}
