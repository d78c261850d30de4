/**
 * Accounts. Two usernames that differ in case alone are one. A name that nobody has, and an account
 * that is disabled, cost a log-in as much as a wrong password does, so that the time tells nothing.
 *
 * The hard case: whatever makes an account or a password worthless for others (an invitation used
 * up, other sessions ended) stands in the transaction that writes it.
 */
import type { Kysely, Selectable } from 'kysely';
import { nextNumber } from '../database/counter.ts';
import type { Database, Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { isCurrent, toVersion } from './account-version.ts';
import { forgetDevices } from './device.ts';
import { takeInvitation, withdrawInvitationsOf } from './invitation.ts';
import { forgetFailures } from './log-in-throttle.ts';
import { hashPassword, type PasswordCost, verifyPassword } from './password.ts';
import { deleteSessionsOf, isOpenSession, type SessionUser } from './session.ts';
import { toUsernameKey } from './username-key.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
  /** See account-version.ts. */
  readonly version: string;
}

/** What a session knows of the account that logs in. */
export function toSessionUser({ id, username, version }: Account): SessionUser {
  return { id, name: username, version };
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
  /** Uses up the invitation of the token; `closed` when it is none. A name that is taken leaves it open. */
  readonly registerInvited: (
    credentials: Credentials,
    token: string,
  ) => Promise<RegistrationResult>;
  /** As it was typed when the account was made; null when nobody has it. */
  readonly findUsername: (username: string) => Promise<string | null>;
  /** The account whose name and password these are; null also when it is disabled or they have expired. */
  readonly authenticate: (credentials: Credentials) => Promise<Account | null>;
  /** What `changePassword` stores. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Ends every session of the account but the one under the key, and withdraws its invitations. False,
   * and nothing is changed, when that session has ended or the account has another version by now: of
   * two changes at once, the first wins.
   */
  readonly changePassword: (
    transaction: Writing,
    account: Account,
    hash: string,
    sessionKey: string,
  ) => Promise<boolean>;
  /**
   * Sets a password that works for 24 hours, and only to choose another one. Also ends every session,
   * withdraws the invitations, and forgets failed log-ins and devices. Null when nobody has the name.
   */
  readonly resetPassword: (credentials: Credentials) => Promise<ResetPassword | null>;
  /**
   * Nobody can log in to an account that is not enabled: disabling it ends its sessions, withdraws its
   * invitations and forgets its devices. Resolves to the username as it is written; null when nobody
   * has it.
   */
  readonly setEnabled: (username: string, isEnabled: boolean) => Promise<string | null>;
}

export interface ResetPassword {
  readonly username: string;
  readonly expiresAt: Date;
  readonly isDisabled: boolean;
}

/** Milliseconds that a reset password works. */
const RESET_LIFE = 86_400_000;

export interface AccountOptions {
  readonly now?: () => Date;
  /** Of the passwords that are set from now on; left out, what `hashPassword` asks for. */
  readonly passwordCost?: PasswordCost | undefined;
}

export function createAccounts(
  database: Database,
  { now = () => new Date(), passwordCost }: AccountOptions = {},
): Accounts {
  return {
    isEmpty: () => hasNoAccount(database.read),
    async register(credentials, onlyFirst) {
      const hash = await hashPassword(credentials.password, passwordCost);
      return database.write(async (transaction) => {
        await engineOf(transaction).lockFor(transaction, 'accounts');
        if (onlyFirst && !(await hasNoAccount(transaction))) return { kind: 'closed' };
        if (await findByName(transaction, credentials.username)) return { kind: 'taken' };
        return insertAccount(transaction, credentials.username, hash, now());
      });
    },
    async registerInvited(credentials, token) {
      const hash = await hashPassword(credentials.password, passwordCost);
      return database.write(async (transaction) => {
        await engineOf(transaction).lockFor(transaction, 'accounts');
        if (await findByName(transaction, credentials.username)) return { kind: 'taken' };
        if (!(await takeInvitation(transaction, token, now()))) return { kind: 'closed' };
        return insertAccount(transaction, credentials.username, hash, now());
      });
    },
    async findUsername(username) {
      const account = await findByName(database.read, username);
      return account?.username ?? null;
    },
    async authenticate({ username, password }) {
      const account = await findByName(database.read, username);
      const stored = account?.password_hash ?? null;
      const matches = await verifyPassword(password, stored, passwordCost);
      return matches && account !== undefined && isUsable(account, now())
        ? toAccount(account)
        : null;
    },
    hash: (password) => hashPassword(password, passwordCost),
    async changePassword(transaction, { id, version }, hash, sessionKey) {
      await engineOf(transaction).lockRow(transaction, 'accounts', 'id', id);
      if (!(await isCurrent(transaction, id, version))) return false;
      if (!(await isOpenSession(transaction, id, sessionKey))) return false;
      await setPassword(transaction, id, hash, null);
      await deleteSessionsOf(transaction, id, sessionKey);
      return true;
    },
    async resetPassword({ username, password }) {
      const hash = await hashPassword(password, passwordCost);
      return database.write(async (transaction) => {
        const account = await findByName(transaction, username);
        if (account === undefined) return null;
        const expiresAt = new Date(now().getTime() + RESET_LIFE);
        await setPassword(transaction, account.id, hash, expiresAt);
        await deleteSessionsOf(transaction, account.id, null);
        await forgetDevices(transaction, account.id);
        await forgetFailures(transaction, username);
        return { username: account.username, expiresAt, isDisabled: account.disabled_at !== null };
      });
    },
    setEnabled: (username, isEnabled) =>
      database.write(async (transaction) => {
        const account = await findByName(transaction, username);
        if (account === undefined) return null;
        await transaction
          .updateTable('accounts')
          .set({ disabled_at: isEnabled ? null : now().toISOString() })
          .where('id', '=', account.id)
          .execute();
        if (isEnabled) return account.username;
        await deleteSessionsOf(transaction, account.id, null);
        await withdrawInvitationsOf(transaction, account.id);
        await forgetDevices(transaction, account.id);
        return account.username;
      }),
  };
}

async function insertAccount(
  transaction: Writing,
  username: string,
  hash: string,
  at: Date,
): Promise<RegistrationResult> {
  const id = await nextNumber(transaction, 'accounts');
  await transaction
    .insertInto('accounts')
    .values({
      id,
      username,
      username_key: toUsernameKey(username),
      password_hash: hash,
      created_at: at.toISOString(),
    })
    .execute();
  return { kind: 'registered', account: toAccount({ id, username, password_hash: hash }) };
}

type Row = Pick<Selectable<Schema['accounts']>, 'id' | 'username' | 'password_hash'>;

function toAccount({ id, username, password_hash }: Row): Account {
  return { id, username, version: toVersion(password_hash) };
}

type States = Pick<Selectable<Schema['accounts']>, 'disabled_at' | 'password_expires_at'>;

function isUsable({ disabled_at, password_expires_at: end }: States, time: Date): boolean {
  return disabled_at === null && (end === null || end > time.toISOString());
}

/** Whoever knew the old password may have made invitations. */
async function setPassword(
  transaction: Writing,
  accountId: number,
  hash: string,
  expiresAt: Date | null,
): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({ password_hash: hash, password_expires_at: expiresAt?.toISOString() ?? null })
    .where('id', '=', accountId)
    .execute();
  await withdrawInvitationsOf(transaction, accountId);
}

function findByName(database: Kysely<Schema>, username: string) {
  return database
    .selectFrom('accounts')
    .select(['id', 'username', 'password_hash', 'disabled_at', 'password_expires_at'])
    .where('username_key', '=', toUsernameKey(username))
    .executeTakeFirst();
}

async function hasNoAccount(database: Kysely<Schema>): Promise<boolean> {
  const first = await database.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return first === undefined;
}
