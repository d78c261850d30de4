/**
 * Accounts. Usernames are case-insensitive. A log-in with an unknown name or to a disabled
 * account takes as long as one with a wrong password, so timing does not reveal which names exist.
 *
 * A change of an account and its consequences (the invitation is used up, other sessions end) are
 * written in one transaction.
 */
import type { Kysely, Selectable } from 'kysely';
import { isToken, toTokenKey } from 'seeother';
import { createPasswords, type Passwords } from 'seeother/accounts';
import { type Awaitable, andThen } from 'seeother/middleware';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { lockRows, takeLock } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { type Role, toRole } from '../site/role.ts';
import type { Notice, PasswordChange, SessionUser } from '../site/session-user.ts';
import { addNotice, findNotices } from './account-notice.ts';
import { isCurrent, toVersion } from './account-version.ts';
import { isDisplayName, isNameTaken } from './display-name.ts';
import { takeInvitation, withdrawLinksOf } from './invitation.ts';
import { createLogInLimits } from './log-in-limits.ts';
import { deleteSessionsOf, isOpenSession } from './stores.ts';
import { toUsernameKey } from './username-key.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
  /** Changes with the password: see account-version.ts. */
  readonly version: string;
  readonly role: Role;
}

/** Converts an account to the user that its sessions store. */
export function toSessionUser({ id, username, version, role }: Account): SessionUser {
  return { id, name: username, version, role };
}

export interface NewAccount extends Credentials {
  readonly displayname?: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type RegistrationResult =
  | { readonly kind: 'registered'; readonly account: Account }
  | { readonly kind: 'taken' | 'name taken' }
  | { readonly kind: 'closed' };

export interface Accounts {
  readonly isEmpty: () => Awaitable<boolean>;
  /**
   * With `onlyFirst`, registers the first account only: otherwise resolves to `closed`, for concurrent
   * calls too.
   */
  readonly register: (credentials: NewAccount, onlyFirst: boolean) => Promise<RegistrationResult>;
  /**
   * Uses up the invitation, except when the name is taken. Resolves to `closed` for an invitation that is not
   * valid.
   */
  readonly registerInvited: (credentials: NewAccount, token: string) => Promise<RegistrationResult>;
  /** With the username as it was typed at the registration; null without such an account. */
  readonly findByName: (username: string) => Promise<Pick<Account, 'id' | 'username'> | null>;
  /**
   * Null if the name or password is wrong, the account is disabled, or the password has expired.
   */
  readonly authenticate: (credentials: Credentials) => Promise<Account | null>;
  /** What the next page after a log-in tells. */
  readonly findNotices: (accountId: number) => Promise<readonly Notice[]>;
  /** The hash of a password, for `changePassword`. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Sets the password, ends all sessions of the account but the one under the key, and withdraws the
   * invitations that the account created. Returns false and changes nothing if that session has ended or
   * the password has changed since the account was read: of two concurrent changes, only the first
   * succeeds.
   */
  readonly changePassword: (
    transaction: KyselyTransaction,
    account: Account,
    hash: string,
    sessionKey: string,
  ) => Promise<boolean>;
  /**
   * Sets a temporary password. It expires after 24 hours, and its user can only choose a new one. Also ends
   * every session, withdraws the invitations, and deletes failed log-ins and devices. Null without such an
   * account.
   */
  readonly resetPassword: (credentials: Credentials) => Promise<ResetPassword | null>;
  /**
   * Sets the password with a link that resets it, and uses the link up. Also ends every session, withdraws
   * the links that the account has made, and deletes failed log-ins and devices. Null if the link is not
   * valid.
   */
  readonly resetByLink: (token: string, hash: string) => Promise<Account | null>;
}

export interface ResetPassword {
  readonly username: string;
  readonly expiresAt: Date;
  readonly isDisabled: boolean;
}

/** Milliseconds until a reset password expires. */
const RESET_LIFE = 86_400_000;

export interface AccountOptions {
  readonly now?: () => Date;
  readonly passwords?: Passwords;
}

export function createAccounts(
  database: Database,
  { now = () => new Date(), passwords = createPasswords() }: AccountOptions = {},
): Accounts {
  const anyAccount = database.statement(selectAny);
  const limits = createLogInLimits(database);
  const notePassword = (transaction: KyselyTransaction, id: number, detail: PasswordChange) =>
    addNotice(transaction, id, { kind: 'password', at: now().toISOString(), detail });
  /** For a user who does not know the password: nothing that it has opened stays open. */
  async function replacePassword(
    transaction: KyselyTransaction,
    account: Pick<Account, 'id' | 'username'>,
    hash: string,
    expiresAt: Date | null,
  ): Promise<void> {
    await setPassword(transaction, account.id, hash, expiresAt);
    await deleteSessionsOf(transaction, account.id, null);
    await limits.forget(transaction, account);
  }

  return {
    isEmpty: () => andThen(anyAccount.first({}), (found) => found === null),
    async register(credentials, onlyFirst) {
      const hash = await passwords.hash(credentials.password);
      return database.write(async (transaction) => {
        await takeLock(transaction, 'accounts');
        if (onlyFirst && !(await hasNoAccount(transaction))) return { kind: 'closed' };
        const taken = await findTaken(transaction, credentials);
        if (taken !== null) return { kind: taken };
        return insertAccount(transaction, { ...credentials, hash, role: 'member' }, now());
      });
    },
    async registerInvited(credentials, token) {
      const hash = await passwords.hash(credentials.password);
      return database.write(async (transaction) => {
        await takeLock(transaction, 'accounts');
        const taken = await findTaken(transaction, credentials);
        if (taken !== null) return { kind: taken };
        const role = await takeInvitation(transaction, token, now());
        if (role === null) return { kind: 'closed' };
        return insertAccount(transaction, { ...credentials, hash, role }, now());
      });
    },
    findByName: async (username) => (await findByName(database.read, username)) ?? null,
    async authenticate({ username, password }) {
      const account = await findByName(database.read, username);
      const stored = account?.password_hash ?? null;
      const matches = await passwords.verify(password, stored);
      return matches && account !== undefined && isUsable(account, now())
        ? toAccount(account)
        : null;
    },
    findNotices: (accountId) => findNotices(database.read, accountId),
    hash: passwords.hash,
    async changePassword(transaction, { id, version }, hash, sessionKey) {
      await lockRows(transaction, 'accounts', [id]);
      if (!(await isCurrent(transaction, id, version))) return false;
      if (!(await isOpenSession(transaction, id, sessionKey))) return false;
      await setPassword(transaction, id, hash, null);
      await notePassword(transaction, id, 'changed');
      await deleteSessionsOf(transaction, id, sessionKey);
      return true;
    },
    async resetPassword({ username, password }) {
      const hash = await passwords.hash(password);
      return database.write(async (transaction) => {
        const account = await findByName(transaction, username);
        if (account === undefined) return null;
        const expiresAt = new Date(now().getTime() + RESET_LIFE);
        await replacePassword(transaction, account, hash, expiresAt);
        await notePassword(transaction, account.id, 'reset');
        return { username: account.username, expiresAt, isDisabled: account.disabled_at !== null };
      });
    },
    async resetByLink(token, hash) {
      if (!isToken(token)) return null;
      return database.write(async (transaction) => {
        await takeLock(transaction, 'accounts');
        const account = await selectAccounts(transaction)
          .where('reset_key', '=', toTokenKey(token))
          .where('reset_ends_at', '>', now().toISOString())
          .where('disabled_at', 'is', null)
          .executeTakeFirst();
        if (account === undefined) return null;
        await replacePassword(transaction, account, hash, null);
        await notePassword(transaction, account.id, 'link');
        return toAccount({ ...account, password_hash: hash });
      });
    },
  };
}

async function findTaken(
  transaction: KyselyTransaction,
  { username, displayname = '' }: NewAccount,
): Promise<'taken' | 'name taken' | null> {
  if (await findByName(transaction, username)) return 'taken';
  if (await isDisplayName(transaction, username)) return 'taken';
  return displayname !== '' && (await isNameTaken(transaction, displayname)) ? 'name taken' : null;
}

/** The first account is an administrator's, whatever its invitation says. */
async function insertAccount(
  transaction: KyselyTransaction,
  given: Pick<NewAccount, 'username' | 'displayname'> & {
    readonly hash: string;
    readonly role: Role;
  },
  at: Date,
): Promise<RegistrationResult> {
  const { username, hash } = given;
  const role = (await hasNoAccount(transaction)) ? 'administrator' : given.role;
  const id = await nextNumber(transaction, 'accounts');
  await transaction
    .insertInto('accounts')
    .values({
      id,
      username,
      username_key: toUsernameKey(username),
      display_name: given.displayname || null,
      password_hash: hash,
      created_at: at.toISOString(),
      role,
    })
    .execute();
  return { kind: 'registered', account: toAccount({ id, username, password_hash: hash, role }) };
}

type AccountRow = Pick<
  Selectable<Schema['accounts']>,
  'id' | 'username' | 'password_hash' | 'role'
>;

function toAccount({ id, username, password_hash, role }: AccountRow): Account {
  return { id, username, version: toVersion(password_hash), role: toRole(role) };
}

type States = Pick<Selectable<Schema['accounts']>, 'disabled_at' | 'password_expires_at'>;

function isUsable({ disabled_at, password_expires_at: end }: States, time: Date): boolean {
  return disabled_at === null && (end === null || end > time.toISOString());
}

/** Also withdraws links: a person who knew the old password may have created them. */
async function setPassword(
  transaction: KyselyTransaction,
  accountId: number,
  hash: string,
  expiresAt: Date | null,
): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({
      password_hash: hash,
      password_expires_at: expiresAt?.toISOString() ?? null,
      reset_key: null,
      reset_ends_at: null,
    })
    .where('id', '=', accountId)
    .execute();
  await withdrawLinksOf(transaction, accountId);
}

function selectAccounts(database: Kysely<Schema>) {
  return database
    .selectFrom('accounts')
    .select(['id', 'username', 'password_hash', 'disabled_at', 'password_expires_at', 'role']);
}

function findByName(database: Kysely<Schema>, username: string) {
  return selectAccounts(database)
    .where('username_key', '=', toUsernameKey(username))
    .executeTakeFirst();
}

function selectAny(database: Kysely<Schema>) {
  return database.selectFrom('accounts').select('id').limit(1);
}

async function hasNoAccount(database: Kysely<Schema>): Promise<boolean> {
  return (await selectAny(database).executeTakeFirst()) === undefined;
}
