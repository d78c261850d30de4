/**
 * Invitations to create an account: links that work once and expire after seven days. The table holds
 * the token of the link until then, for the person who made it: nobody else sees it.
 *
 * Two people may use one link at the same time, and only one may succeed. So one transaction
 * deletes the invitation and creates the account, and it does so only if there was a row to delete.
 */

import { createToken, isToken, toTokenKey } from 'seeother';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { type Role, toRole } from '../site/role.ts';
import { type Actor, mayManage } from './administrators.ts';
import { shownName } from './display-name.ts';
import { toPublicId } from './public-id.ts';

export interface NewInvitation {
  readonly token: string;
  readonly endsAt: Date;
}

export interface OpenInvitation {
  /** The public id, for forms. The token cannot be derived from it. */
  readonly id: string;
  /** The name of its creator; null if it was created in the terminal. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly endsAt: Date;
  /** Of the person who is invited; empty if it was not given. */
  readonly name: string;
  readonly role: Role;
  /** Only for its maker. */
  readonly token: string | null;
}

/** Who is invited; by default a member without a name. */
export type Invited = Partial<Pick<OpenInvitation, 'name' | 'role'>>;

export interface Invitations {
  /** `createdBy` is null for an invitation from the terminal. */
  readonly create: (
    transaction: KyselyTransaction,
    createdBy: number | null,
    invited?: Invited,
  ) => Promise<NewInvitation>;
  /**
   * Creates an invitation, unless the actor may not manage people, or has `MAX_INVITATIONS` open ones.
   */
  readonly invite: (
    transaction: KyselyTransaction,
    actor: NonNullable<Actor>,
    invited?: Invited,
  ) => Promise<NewInvitation | 'too many' | 'not allowed'>;
  readonly isOpen: (token: string) => Promise<boolean>;
  /** The invitations that can still be used, oldest first, with the tokens of those that the account has made. */
  readonly list: (accountId?: number) => Promise<readonly OpenInvitation[]>;
  /** False if it was already used or withdrawn, or has expired. */
  readonly withdraw: (id: string) => Promise<boolean>;
}

/** Open invitations of one account. */
export const MAX_INVITATIONS = 20;
/** In milliseconds. */
const LIFE = 7 * 86_400_000;

export function createInvitations(
  database: Database,
  now: () => Date = () => new Date(),
): Invitations {
  const create: Invitations['create'] = async (transaction, createdBy, invited = {}) => {
    const createdAt = now();
    const made = { token: createToken(), endsAt: new Date(createdAt.getTime() + LIFE) };
    await transaction
      .insertInto('invitations')
      .values({
        key: toTokenKey(made.token),
        created_at: createdAt.toISOString(),
        created_by: createdBy,
        ends_at: made.endsAt.toISOString(),
        token: createdBy === null ? null : made.token,
        ...invited,
      })
      .execute();
    return made;
  };
  return {
    create,
    async invite(transaction, actor, invited) {
      if (!(await mayManage(transaction, actor))) return 'not allowed';
      const open = await transaction
        .selectFrom('invitations')
        .select('key')
        .where('created_by', '=', actor.id)
        .where('ends_at', '>', now().toISOString())
        .limit(MAX_INVITATIONS)
        .execute();
      return open.length < MAX_INVITATIONS ? create(transaction, actor.id, invited) : 'too many';
    },
    async isOpen(token) {
      if (!isToken(token)) return false;
      const row = await database.read
        .selectFrom('invitations')
        .select('key')
        .where('key', '=', toTokenKey(token))
        .where('ends_at', '>', now().toISOString())
        .executeTakeFirst();
      return row !== undefined;
    },
    async list(accountId) {
      const rows = await database.read
        .selectFrom('invitations')
        .leftJoin('accounts', 'accounts.id', 'invitations.created_by')
        .select([
          'key',
          shownName('accounts').as('createdBy'),
          'invitations.created_at',
          'ends_at',
          'name',
          'invitations.role',
          'created_by',
          'token',
        ])
        .where('ends_at', '>', now().toISOString())
        .orderBy('invitations.created_at')
        .execute();
      return rows.map((row) => ({
        id: toPublicId(row.key),
        createdBy: row.createdBy,
        createdAt: new Date(row.created_at),
        endsAt: new Date(row.ends_at),
        name: row.name,
        role: toRole(row.role),
        token: row.created_by === accountId ? row.token : null,
      }));
    },
    withdraw: (id) =>
      database.write(async (transaction) => {
        const rows = await transaction.selectFrom('invitations').select('key').execute();
        const key = rows.find((row) => toPublicId(row.key) === id)?.key;
        return key !== undefined && (await deleteInvitation(transaction, key, now())) !== null;
      }),
  };
}

/** Withdraws every open link that the account has made: invitations, and links that reset a password. */
export async function withdrawLinksOf(
  transaction: KyselyTransaction,
  accountId: number,
): Promise<void> {
  await transaction.deleteFrom('invitations').where('created_by', '=', accountId).execute();
  await transaction
    .updateTable('accounts')
    .set({ reset_key: null, reset_ends_at: null })
    .where('reset_by', '=', accountId)
    .execute();
}

/** Uses the invitation up; resolves to the role that it gives, or to null if it is not valid. */
export async function takeInvitation(
  transaction: KyselyTransaction,
  token: string,
  at: Date,
): Promise<Role | null> {
  return isToken(token) ? deleteInvitation(transaction, toTokenKey(token), at) : null;
}

/** Null if it has expired, or another transaction has deleted it. */
async function deleteInvitation(
  transaction: KyselyTransaction,
  key: string,
  at: Date,
): Promise<Role | null> {
  const rows = await transaction
    .deleteFrom('invitations')
    .where('key', '=', key)
    .where('ends_at', '>', at.toISOString())
    .returning('role')
    .execute();
  return rows[0] === undefined ? null : toRole(rows[0].role);
}
