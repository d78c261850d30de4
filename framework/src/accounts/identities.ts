/**
 * The company accounts that log in to an account. One is known by its issuer and its subject there, never by an
 * address: addresses change, and are given to other people.
 */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { TABLES } from './account-tables.ts';

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly accountId: number;
  readonly createdAt: Date;
}

export interface Identities {
  readonly find: (
    issuer: string,
    subject: string,
    connection?: Connection,
  ) => Promise<Identity | null>;
  /** The oldest first. */
  readonly list: (accountId: number, connection?: Connection) => Promise<readonly Identity[]>;
  /** False if it belongs to an account already. */
  readonly add: (
    transaction: WriteTransaction,
    identity: Omit<Identity, 'createdAt'>,
  ) => Promise<boolean>;
  readonly remove: (
    transaction: WriteTransaction,
    identity: Omit<Identity, 'createdAt'>,
  ) => Promise<boolean>;
}

export function createIdentities(table: Table<WriteTransaction>, now: () => Date): Identities {
  const { identities } = TABLES;
  const select = async (
    condition: string,
    values: readonly (string | number)[],
    connection?: Connection,
  ) => {
    const sql = `select provider, subject, account_id, created_at from ${identities} where ${condition}`;
    const rows =
      connection === undefined
        ? await table.read<Row>(sql, values)
        : (await connection.run<Row>(sql, values)).rows;
    return rows.map(toIdentity);
  };
  return {
    async find(issuer, subject, connection) {
      const found = await select('provider = ? and subject = ?', [issuer, subject], connection);
      return found[0] ?? null;
    },
    list: (accountId, connection) =>
      select('account_id = ? order by created_at, subject', [accountId], connection),
    async add({ run }, { issuer, subject, accountId }) {
      const { rows } = await run(
        `insert into ${identities} (provider, subject, account_id, created_at) values (?, ?, ?, ?)
          on conflict do nothing returning subject`,
        [issuer, subject, accountId, now().toISOString()],
      );
      return rows.length > 0;
    },
    async remove({ run }, { issuer, subject, accountId }) {
      const { rows } = await run(
        `delete from ${identities} where provider = ? and subject = ? and account_id = ?
          returning subject`,
        [issuer, subject, accountId],
      );
      return rows.length > 0;
    },
  };
}

interface Row {
  readonly provider: string;
  readonly subject: string;
  readonly account_id: number | bigint | string;
  readonly created_at: string;
}

function toIdentity({ provider, subject, account_id, created_at }: Row): Identity {
  return {
    issuer: provider,
    subject,
    accountId: Number(account_id),
    createdAt: new Date(created_at),
  };
}
