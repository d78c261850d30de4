/**
 * The session store of the application, with the framework's interface. Its key is the SHA-256 of
 * the token in the cookie; the token itself is not stored.
 *
 * A session is read, changed and written in one transaction, which locks the row before it reads.
 * So concurrent requests, in this process or another, cannot overwrite each other's changes.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { toRole } from '../site/role.ts';
import type { SessionUser } from '../site/session-user.ts';
import { deleteNotices } from './account-notice.ts';
import { isCurrent } from './account-version.ts';

export interface StoredFlash {
  readonly id?: string;
  readonly isShown?: boolean;
  readonly path: string;
  readonly message: string;
  readonly action?: { readonly label: string; readonly path: string };
}

export interface StoredDraft {
  readonly action: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly once: string | null;
}

export interface StoredSession {
  readonly key: string;
  readonly user: SessionUser;
  /** Always empty. */
  readonly data: Readonly<Record<string, never>>;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly endsAt: Date;
  readonly remembered: boolean;
  readonly agent: string;
  readonly address: string;
  readonly flashes: readonly StoredFlash[];
  readonly draft: StoredDraft | null;
  readonly superseded: boolean;
}

export interface Sessions {
  readonly find: (key: string) => Promise<StoredSession | null>;
  readonly create: (session: StoredSession, replaced: string | null) => Promise<boolean>;
  readonly update: (
    key: string,
    change: (session: StoredSession) => StoredSession,
  ) => Promise<StoredSession | null>;
  /** Like `update`, but within the given transaction. */
  readonly updateIn: (
    transaction: Writing,
    key: string,
    change: (session: StoredSession) => StoredSession,
  ) => Promise<StoredSession | null>;
  readonly renew: (
    key: string,
    change: (session: StoredSession) => {
      readonly renewed: StoredSession;
      readonly superseded: StoredSession;
    },
  ) => Promise<StoredSession | null>;
  readonly delete: (key: string) => Promise<void>;
  /** Ends the sessions of the account, except the one under `exceptKey`. */
  readonly deleteAll: (accountId: number, exceptKey?: string) => Promise<void>;
  readonly list: (userId: number, now: Date) => Promise<readonly StoredSession[]>;
}

/** Sessions of one account. This also limits its stored drafts, one in each session. */
const MAX_SESSIONS = 20;

/** `removeExpired` runs in the transaction of each log-in. */
export function createSessions(
  database: Database,
  removeExpired?: (transaction: Writing, now: Date) => Promise<void>,
): Sessions {
  const find = database.statement(selectByKey, fromRow);
  const change = database.statement(updateSession);
  const updateIn: Sessions['updateIn'] = async (transaction, key, toChanged) => {
    await lockRows(transaction, 'sessions', [key]);
    const [session] = await find.run(transaction, { key });
    if (session === undefined) return null;
    const changed = toChanged(session);
    await change.run(transaction, { ...toRow(changed), old_key: key });
    return changed;
  };
  return {
    find: (key) => find.first({ key }),
    create: (session, replaced) =>
      database.write(async (transaction) => {
        const { id, version, notices = [] } = session.user;
        // A change of password locks the account too. So either it ends this session, or this
        // transaction reads the new version.
        await lockRows(transaction, 'accounts', [id]);
        if (version !== undefined && !(await isCurrent(transaction, id, version))) return false;
        await removeExpired?.(transaction, session.startedAt);
        if (replaced !== null) await deleteSession(transaction, replaced);
        await insertSession(transaction, session);
        await deleteOldest(transaction, session);
        await deleteNotices(transaction, id, notices);
        return true;
      }),
    update: (key, toChanged) =>
      database.write((transaction) => updateIn(transaction, key, toChanged)),
    updateIn,
    renew: (key, toBoth) =>
      database.write(async (transaction) => {
        const [known] = await find.run(transaction, { key });
        if (known === undefined) return null;
        // Ending all sessions locks the account too, so it finds both sessions or none of them.
        await lockRows(transaction, 'accounts', [known.user.id]);
        await lockRows(transaction, 'sessions', [key]);
        const [session] = await find.run(transaction, { key });
        if (session === undefined) return null;
        const { renewed, superseded } = toBoth(session);
        await change.run(transaction, { ...toRow(superseded), old_key: key });
        await insertSession(transaction, renewed);
        return renewed;
      }),
    delete: (key) => database.write((transaction) => deleteSession(transaction, key)),
    deleteAll: (accountId, exceptKey) =>
      database.write(async (transaction) => {
        // Renewing a session locks the account too, so this finds both of its rows or none of them.
        await lockRows(transaction, 'accounts', [accountId]);
        await deleteSessionsOf(transaction, accountId, exceptKey ?? null);
      }),
    async list(userId, now) {
      const rows = await selectSessions(database.read)
        .where('account_id', '=', userId)
        .where('ends_at', '>', now.toISOString())
        .where('superseded', '=', 0)
        .orderBy('seen_at', 'desc')
        .execute();
      return rows.map(fromRow);
    },
  };
}

/** Ends the sessions of an account, except the one under `exceptKey`. */
export async function deleteSessionsOf(
  transaction: Transaction<Schema>,
  accountId: number,
  exceptKey: string | null,
): Promise<void> {
  const sessions = transaction.deleteFrom('sessions').where('account_id', '=', accountId);
  await (exceptKey === null ? sessions : sessions.where('key', '!=', exceptKey)).execute();
}

/** Whether the session exists and is not superseded. Lock the row of its account first. */
export async function isOpenSession(
  transaction: Transaction<Schema>,
  accountId: number,
  key: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('sessions')
    .select('key')
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .where('superseded', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}

async function insertSession(
  transaction: Transaction<Schema>,
  session: StoredSession,
): Promise<void> {
  const { user, startedAt } = session;
  const fixed = { account_id: user.id, started_at: startedAt.toISOString() };
  await transaction
    .insertInto('sessions')
    .values({ ...fixed, ...toRow(session) })
    .execute();
}

/** Deletes the least recently seen sessions above `MAX_SESSIONS`. */
async function deleteOldest(transaction: Writing, newest: StoredSession): Promise<void> {
  const rows = await transaction
    .selectFrom('sessions')
    .select('key')
    .where('account_id', '=', newest.user.id)
    .where('key', '!=', newest.key)
    .orderBy('seen_at', 'desc')
    .orderBy('started_at', 'desc')
    .execute();
  const keys = rows.slice(MAX_SESSIONS - 1).map(({ key }) => key);
  if (keys.length > 0) await transaction.deleteFrom('sessions').where('key', 'in', keys).execute();
}

async function deleteSession(transaction: Transaction<Schema>, key: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('key', '=', key).execute();
}

function selectSessions(database: Kysely<Schema>) {
  return database
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['key', 'account_id', 'username', 'started_at', 'seen_at', 'ends_at', 'remembered'])
    .select(['agent', 'address', 'flashes', 'draft', 'superseded', 'password_expires_at', 'role']);
}

function selectByKey(source: Kysely<Schema>, { key }: Placeholders<{ readonly key: string }>) {
  return selectSessions(source).where('key', '=', key);
}

/** The columns of an update. `key` differs from `old_key` when the session gets a new token. */
type Change = ReturnType<typeof toRow> & { readonly old_key: string };

function updateSession(source: Kysely<Schema>, row: Placeholders<Change>) {
  const { key, seen_at, ends_at, remembered, agent, address, flashes, draft, superseded } = row;
  return source
    .updateTable('sessions')
    .set({ key, seen_at, ends_at, remembered, agent, address, flashes, draft, superseded })
    .where('key', '=', row.old_key);
}

type Row = Selectable<Schema['sessions']>;

type Found = Row &
  Pick<Selectable<Schema['accounts']>, 'username' | 'password_expires_at' | 'role'>;

function toUser({ account_id, username, role, password_expires_at }: Found): SessionUser {
  const user = { id: account_id, name: username, role: toRole(role) };
  return password_expires_at === null ? user : { ...user, mustChangePassword: true };
}

function fromRow(row: Found): StoredSession {
  return {
    key: row.key,
    user: toUser(row),
    data: {},
    startedAt: new Date(row.started_at),
    seenAt: new Date(row.seen_at),
    endsAt: new Date(row.ends_at),
    remembered: row.remembered === 1,
    agent: row.agent,
    address: row.address,
    flashes: row.flashes === '' ? [] : (JSON.parse(row.flashes) as readonly StoredFlash[]),
    draft: row.draft === '' ? null : (JSON.parse(row.draft) as StoredDraft),
    superseded: row.superseded === 1,
  };
}

/** The columns that an update may change: all but the account and the start. */
function toRow(session: StoredSession): Omit<Row, 'account_id' | 'started_at'> {
  const { key, agent, address, flashes, draft } = session;
  return {
    key,
    seen_at: session.seenAt.toISOString(),
    ends_at: session.endsAt.toISOString(),
    remembered: session.remembered ? 1 : 0,
    agent,
    address,
    flashes: flashes.length === 0 ? '' : JSON.stringify(flashes),
    draft: draft === null ? '' : JSON.stringify(draft),
    superseded: session.superseded ? 1 : 0,
  };
}
