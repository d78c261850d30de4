/**
 * The rows of accounts. A change locks the row first, as a log-in and the end of all sessions do: so a log-in that was
 * checked before the change is refused, and a session that is being renewed ends too.
 */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { refuseWithoutSession } from '../session/require-session.ts';
import { createToken } from '../session/token.ts';
import { type Account, toNameKey } from './account.ts';
import { type OwnTables, TABLES } from './account-tables.ts';

/** Runs the work in a transaction of its own. */
export type Write = <T>(work: (transaction: WriteTransaction) => Promise<T>) => Promise<T>;

/** The id of a new account, for a table that does not count by itself. */
export type NextId = (transaction: WriteTransaction) => Promise<number>;

export interface NewAccount {
  readonly username: string;
  /** A confirmed address. */
  readonly email?: string | null;
  readonly passwordHash: string | null;
  readonly role: string;
}

/** What an account is found by. */
export type AccountName =
  | { readonly id: number }
  | { readonly username: string }
  | { readonly email: string };

/** Columns that a change may set. Times are in ISO 8601. */
export interface AccountColumns {
  readonly username?: string;
  readonly username_key?: string;
  readonly email?: string | null;
  readonly email_key?: string | null;
  /** Empty for none. */
  readonly password_hash?: string;
  readonly password_expires_at?: string | null;
  readonly role?: string;
  readonly disabled_at?: string | null;
  readonly totp?: string | null;
  readonly totp_step?: number;
  readonly second_factor?: 0 | 1;
}

export interface AccountStore {
  readonly isEmpty: (connection?: Connection) => Promise<boolean>;
  readonly find: (by: AccountName, connection?: Connection) => Promise<Account | null>;
  /** Of a name and an address, whichever was typed. */
  readonly findTyped: (typed: string) => Promise<Account | null>;
  /** Locks the row until the transaction ends. */
  readonly lock: (transaction: WriteTransaction, id: number) => Promise<Account | null>;
  /** Locks the registrations: of two at once, one is the first, and one gets a name. */
  readonly lockAll: (transaction: WriteTransaction) => Promise<void>;
  /** Null if the username or the address is taken. Call it after `lockAll`. */
  readonly insert: (transaction: WriteTransaction, account: NewAccount) => Promise<Account | null>;
  /** With `isCredential`, log-ins that were checked before are refused. */
  readonly change: (
    transaction: WriteTransaction,
    id: number,
    columns: AccountColumns,
    isCredential?: boolean,
  ) => Promise<void>;
  /** Ends the sessions of the account, except the one under the key. */
  readonly endSessions: (
    transaction: WriteTransaction,
    id: number,
    exceptKey?: string,
  ) => Promise<void>;
  /** The keys of all its sessions, superseded ones too. */
  readonly sessionKeys: (transaction: WriteTransaction, id: number) => Promise<readonly string[]>;
  readonly endSession: (transaction: WriteTransaction, key: string) => Promise<void>;
  /** Whether the session is open, and not superseded. */
  readonly isOpen: (transaction: WriteTransaction, id: number, key: string) => Promise<boolean>;
  /**
   * The account of the session, locked. Throws a 401 if the session has ended since the request was let in: somebody
   * may have held back the body of a form until then.
   */
  readonly lockOpen: (
    transaction: WriteTransaction,
    session: { readonly key: string; readonly user: { readonly id: number } },
  ) => Promise<Account>;
  readonly hasPasskey: (connection: Connection, id: number) => Promise<boolean>;
  /** Accounts that can log in with the role. */
  readonly countRole: (connection: Connection, role: string) => Promise<number>;
  readonly remove: (transaction: WriteTransaction, id: number) => Promise<void>;
}

const COLUMNS = `id, username, email, password_hash, password_expires_at, role, version, disabled_at,
  handle, totp, totp_step, second_factor`;

export function createAccountStore(
  engine: 'sqlite' | 'postgres',
  table: Table<WriteTransaction>,
  now: () => Date,
  own: (OwnTables & { readonly nextId?: NextId }) | null = null,
): AccountStore {
  const { accounts, sessions } = own ?? TABLES;
  const isPostgres = engine === 'postgres';
  const select = `select ${COLUMNS} from ${accounts}`;
  // On SQLite, a transaction that writes already holds the only lock.
  const locked = isPostgres ? ' for no key update' : '';
  const findWhere = async (
    condition: string,
    values: readonly (string | number)[],
    connection?: Connection,
  ) => {
    const sql = `${select} where ${condition}`;
    const rows =
      connection === undefined
        ? await table.read<Row>(sql, values)
        : (await connection.run<Row>(sql, values)).rows;
    return rows[0] === undefined ? null : toAccount(rows[0]);
  };
  const find: AccountStore['find'] = (by, connection) => {
    if ('id' in by) return findWhere('id = ?', [by.id], connection);
    if ('username' in by)
      return findWhere('username_key = ?', [toNameKey(by.username)], connection);
    return findWhere('email_key = ?', [toNameKey(by.email)], connection);
  };
  const lock: AccountStore['lock'] = (transaction, id) =>
    findWhere(`id = ?${locked}`, [id], transaction);
  const isOpen: AccountStore['isOpen'] = async ({ run }, id, key) => {
    const { rows } = await run(
      `select key from ${sessions} where key = ? and account_id = ? and superseded = 0`,
      [key, id],
    );
    return rows.length > 0;
  };
  return {
    async isEmpty(connection) {
      const sql = `select id from ${accounts} limit 1`;
      const rows =
        connection === undefined ? await table.read(sql, []) : (await connection.run(sql)).rows;
      return rows.length === 0;
    },
    find,
    // A username is found before the address of another account, which may read the same.
    findTyped: (typed) =>
      findWhere('username_key = ? or email_key = ? order by username_key = ? desc limit 1', [
        toNameKey(typed),
        toNameKey(typed),
        toNameKey(typed),
      ]),
    lock,
    async lockAll({ run }) {
      if (isPostgres) await run('select pg_advisory_xact_lock(5334303, 10)');
    },
    async insert(transaction, { username, email = null, passwordHash, role }) {
      const emailKey = email === null ? null : toNameKey(email);
      const id = (await own?.nextId?.(transaction)) ?? null;
      const row = {
        ...(id === null ? {} : { id }),
        username,
        username_key: toNameKey(username),
        email,
        email_key: emailKey,
        password_hash: passwordHash ?? '',
        role,
        created_at: now().toISOString(),
        handle: createToken(),
      };
      const { rows } = await transaction.run<Row>(
        `insert into ${accounts} (${Object.keys(row).join()})
          values (${Object.keys(row)
            .map(() => '?')
            .join()}) on conflict do nothing
          returning ${COLUMNS}`,
        Object.values(row),
      );
      return rows[0] === undefined ? null : toAccount(rows[0]);
    },
    async change({ run }, id, columns, isCredential = false) {
      const names = Object.keys(columns) as (keyof AccountColumns)[];
      const sets = names.map((name) => `${name} = ?`);
      if (isCredential) sets.push('version = version + 1');
      const values = names.map((name) => columns[name] ?? null);
      await run(`update ${accounts} set ${sets.join()} where id = ?`, [...values, id]);
    },
    async endSessions({ run }, id, exceptKey = '') {
      await run(`delete from ${sessions} where account_id = ? and key <> ?`, [id, exceptKey]);
    },
    async sessionKeys({ run }, id) {
      const { rows } = await run<{ readonly key: string }>(
        `select key from ${sessions} where account_id = ?`,
        [id],
      );
      return rows.map(({ key }) => key);
    },
    async endSession({ run }, key) {
      await run(`delete from ${sessions} where key = ?`, [key]);
    },
    isOpen,
    async lockOpen(transaction, { key, user: { id } }) {
      const account = await lock(transaction, id);
      if (account === null || !(await isOpen(transaction, id, key))) throw refuseWithoutSession();
      return account;
    },
    async hasPasskey({ run }, id) {
      const { rows } = await run(`select id from ${TABLES.passkeys} where account_id = ? limit 1`, [
        id,
      ]);
      return rows.length > 0;
    },
    async countRole({ run }, role) {
      const { rows } = await run<{ readonly count: number | string }>(
        `select count(*) as count from ${accounts} where role = ? and disabled_at is null`,
        [role],
      );
      return Number(rows[0]?.count);
    },
    async remove({ run }, id) {
      // SQLite keeps the references only where foreign keys are switched on.
      for (const name of [TABLES.tokens, TABLES.passkeys, TABLES.identities, sessions])
        await run(`delete from ${name} where account_id = ?`, [id]);
      await run(`delete from ${TABLES.tokens} where made_by = ?`, [id]);
      await run(`delete from ${accounts} where id = ?`, [id]);
    },
  };
}

interface Row {
  readonly id: number | bigint | string;
  readonly username: string;
  readonly email: string | null;
  readonly password_hash: string;
  readonly password_expires_at: string | null;
  readonly role: string;
  readonly version: number | bigint | string;
  readonly disabled_at: string | null;
  readonly handle: string;
  readonly totp: string | null;
  readonly totp_step: number | bigint | string;
  readonly second_factor: number;
}

function toAccount(row: Row): Account {
  const { username, email, role, handle, totp } = row;
  return {
    id: Number(row.id),
    username,
    email,
    passwordHash: row.password_hash === '' ? null : row.password_hash,
    passwordEndsAt: toDate(row.password_expires_at),
    role,
    version: Number(row.version),
    disabledAt: toDate(row.disabled_at),
    handle,
    totp,
    totpStep: Number(row.totp_step),
    hasSecondFactor: row.second_factor === 1,
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
