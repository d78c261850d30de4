/**
 * Accounts. Two usernames that differ in case alone are one. A name that nobody has costs a log-in
 * as much as a wrong password does, so that the time tells nothing.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { nextNumber } from './counter.ts';
import { hashPassword, verifyPassword } from './password.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type RegistrationResult =
  | { readonly kind: 'registered'; readonly account: Account }
  | { readonly kind: 'taken' }
  | { readonly kind: 'closed' };

export interface Accounts {
  readonly isEmpty: () => Promise<boolean>;
  /** With `onlyFirst`, of several registrations at once one alone succeeds, and none when there is an account. */
  readonly register: (credentials: Credentials, onlyFirst: boolean) => Promise<RegistrationResult>;
  /** The account whose name and password these are, or null. */
  readonly authenticate: (credentials: Credentials) => Promise<Account | null>;
}

export function createAccounts(database: Database): Accounts {
  return {
    isEmpty: () => hasNoAccount(database.read),
    async register({ username, password }, onlyFirst) {
      const hash = await hashPassword(password);
      return database.write(async (transaction) => {
        if (onlyFirst && !(await hasNoAccount(transaction))) return { kind: 'closed' };
        const key = toUsernameKey(username);
        const taken = await transaction
          .selectFrom('accounts')
          .select('id')
          .where('username_key', '=', key)
          .executeTakeFirst();
        if (taken !== undefined) return { kind: 'taken' };
        const id = await nextNumber(transaction, 'accounts');
        await transaction
          .insertInto('accounts')
          .values({
            id,
            username,
            username_key: key,
            password_hash: hash,
            created_at: new Date().toISOString(),
          })
          .execute();
        return { kind: 'registered', account: { id, username } };
      });
    },
    async authenticate({ username, password }) {
      const account = await database.read
        .selectFrom('accounts')
        .select(['id', 'username', 'password_hash'])
        .where('username_key', '=', toUsernameKey(username))
        .executeTakeFirst();
      const matches = await verifyPassword(password, account?.password_hash ?? null);
      return matches && account !== undefined
        ? { id: account.id, username: account.username }
        : null;
    },
  };
}

/** What makes two spellings one account. */
export function toUsernameKey(username: string): string {
  return username.toLowerCase();
}

async function hasNoAccount(database: Kysely<Schema>): Promise<boolean> {
  const first = await database.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return first === undefined;
}
