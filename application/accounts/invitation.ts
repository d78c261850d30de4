/**
 * Invitations to make an account: a link that works once and ends after seven days. The token in
 * the link is shown when it is made and never again; the table holds its SHA-256.
 *
 * The hard case: of two people at once with one link, one wins. So the row is deleted in the
 * transaction that makes the account, and the account is made only when there was a row to delete.
 */
import type { Database, Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import { isOpenSession } from './session.ts';
import { createToken, isToken, toKey, toPublicId } from './token.ts';

export interface NewInvitation {
  readonly token: string;
  readonly endsAt: Date;
}

export interface OpenInvitation {
  /** Names it in a form; it is not the token, nor made from it in a way that leads back. */
  readonly id: string;
  /** The username of who made it, or null when it was made in the terminal. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly endsAt: Date;
}

export interface Invitations {
  /** `createdBy` is null when it is made in the terminal. */
  readonly create: (transaction: Writing, createdBy: number | null) => Promise<NewInvitation>;
  /**
   * Makes one for the account, from its session: a session that ends meanwhile makes none, nor does
   * an account that has `MAX_INVITATIONS` open.
   */
  readonly invite: (
    transaction: Writing,
    accountId: number,
    sessionKey: string,
  ) => Promise<NewInvitation | 'too many' | 'session ended'>;
  readonly isOpen: (token: string) => Promise<boolean>;
  /** Those that can still be used, the oldest first. */
  readonly list: () => Promise<readonly OpenInvitation[]>;
  /** False when it was used, withdrawn or ended before. */
  readonly withdraw: (id: string) => Promise<boolean>;
}

/** Open ones, of an account. */
export const MAX_INVITATIONS = 20;
/** Milliseconds. */
const LIFE = 7 * 86_400_000;

export function createInvitations(
  database: Database,
  now: () => Date = () => new Date(),
): Invitations {
  const create: Invitations['create'] = async (transaction, createdBy) => {
    const createdAt = now();
    const made = { token: createToken(), endsAt: new Date(createdAt.getTime() + LIFE) };
    await transaction
      .insertInto('invitations')
      .values({
        key: toKey(made.token),
        created_at: createdAt.toISOString(),
        created_by: createdBy,
        ends_at: made.endsAt.toISOString(),
      })
      .execute();
    return made;
  };
  return {
    create,
    async invite(transaction, accountId, sessionKey) {
      // A change of password locks it too, and withdraws the invitations that it finds.
      await engineOf(transaction).lockRow(transaction, 'accounts', 'id', accountId);
      if (!(await isOpenSession(transaction, accountId, sessionKey))) return 'session ended';
      const open = await transaction
        .selectFrom('invitations')
        .select('key')
        .where('created_by', '=', accountId)
        .where('ends_at', '>', now().toISOString())
        .limit(MAX_INVITATIONS)
        .execute();
      return open.length < MAX_INVITATIONS ? create(transaction, accountId) : 'too many';
    },
    async isOpen(token) {
      if (!isToken(token)) return false;
      const row = await database.read
        .selectFrom('invitations')
        .select('key')
        .where('key', '=', toKey(token))
        .where('ends_at', '>', now().toISOString())
        .executeTakeFirst();
      return row !== undefined;
    },
    async list() {
      const rows = await database.read
        .selectFrom('invitations')
        .leftJoin('accounts', 'accounts.id', 'invitations.created_by')
        .select(['key', 'username', 'invitations.created_at', 'ends_at'])
        .where('ends_at', '>', now().toISOString())
        .orderBy('invitations.created_at')
        .execute();
      return rows.map((row) => ({
        id: toPublicId(row.key),
        createdBy: row.username,
        createdAt: new Date(row.created_at),
        endsAt: new Date(row.ends_at),
      }));
    },
    withdraw: (id) =>
      database.write(async (transaction) => {
        const rows = await transaction.selectFrom('invitations').select('key').execute();
        const key = rows.find((row) => toPublicId(row.key) === id)?.key;
        return key !== undefined && deleteInvitation(transaction, key, now());
      }),
  };
}

/** Withdraws all that the account has made. */
export async function withdrawInvitationsOf(
  transaction: Writing,
  accountId: number,
): Promise<void> {
  await transaction.deleteFrom('invitations').where('created_by', '=', accountId).execute();
}

/** Uses the invitation up; false when it is none that can be used. */
export async function takeInvitation(
  transaction: Writing,
  token: string,
  at: Date,
): Promise<boolean> {
  return isToken(token) && deleteInvitation(transaction, toKey(token), at);
}

/** False when it has ended, or another transaction was faster. */
async function deleteInvitation(transaction: Writing, key: string, at: Date): Promise<boolean> {
  const rows = await transaction
    .deleteFrom('invitations')
    .where('key', '=', key)
    .where('ends_at', '>', at.toISOString())
    .returning('key')
    .execute();
  return rows.length === 1;
}
