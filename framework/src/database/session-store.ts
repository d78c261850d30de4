/**
 * Sessions in a table. Reading, changing and writing a session is one transaction, which first locks the session's
 * user. So no change of another request is lost, and ending all sessions of a user sees both rows of a session that
 * is being renewed, or neither.
 */
import type { SessionsInTransaction } from '../form/only-once.ts';
import type { Session, SessionUser } from '../session/session.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Connection, Database } from './database.ts';
import { createTable, toPlaceholders } from './tables.ts';

const TABLE = 'seeother_sessions';
/** Minimum milliseconds between two removals of ended sessions, and until an ended session is removed. */
const SWEEP_INTERVAL = 86_400_000;

/**
 * The store for `loadSession`. It creates its table when it is first used. It has no table of users, so it ignores
 * `user.version` and refuses no session.
 */
export function createSessionStore<User extends SessionUser = SessionUser, Data = unknown>(
  database: Database,
): SessionStore<User, Data> & SessionsInTransaction<Connection> {
  type Stored = Session<User, Data>;
  type Row = { readonly key: string; readonly session: string };
  const sql = (text: string) => toPlaceholders(database, text);
  const prepare = createTable(database, [
    `create table if not exists ${TABLE} (key text primary key, user_id text not null,
      seen_at text not null, ends_at text not null, superseded integer not null,
      session text not null)`,
    `create index if not exists ${TABLE}_by_user on ${TABLE} (user_id)`,
    `create index if not exists ${TABLE}_by_end on ${TABLE} (ends_at)`,
  ]);
  const select = sql(`select key, session from ${TABLE} where key = ?`);
  const insert = sql(`insert into ${TABLE} (key, user_id, seen_at, ends_at, superseded, session)
    values (?, ?, ?, ?, ?, ?)`);
  const update = sql(`update ${TABLE} set key = ?, user_id = ?, seen_at = ?, ends_at = ?,
    superseded = ?, session = ? where key = ?`);
  const removeOne = sql(`delete from ${TABLE} where key = ?`);
  const removeOthers = sql(`delete from ${TABLE} where user_id = ? and key <> ?`);
  const removeEnded = sql(`delete from ${TABLE} where ends_at <= ?`);
  const selectOpen = sql(`select key, session from ${TABLE} where user_id = ? and ends_at > ?
    and superseded = 0 order by seen_at desc`);
  const lock = sql('select pg_advisory_xact_lock(5334304, hashtext(?))');
  let sweptAt = 0;

  const write = async <T>(work: (transaction: Connection) => Promise<T>): Promise<T> => {
    await prepare();
    return database.write(work);
  };
  const find = async ({ run }: Connection, key: string): Promise<Stored | null> => {
    const { rows } = await run<Row>(select, [key]);
    return rows[0] === undefined ? null : fromRow(rows[0]);
  };
  // On SQLite, a transaction that writes already holds the only lock.
  const lockUser = async ({ run }: Connection, id: User['id']): Promise<void> => {
    if (database.engine === 'postgres') await run(lock, [String(id)]);
  };
  const findLocked = async (transaction: Connection, key: string): Promise<Stored | null> => {
    const known = await find(transaction, key);
    if (known === null) return null;
    await lockUser(transaction, known.user.id);
    return find(transaction, key);
  };
  /** Ended sessions stay for a day, because a clock that is ahead may be corrected. */
  const sweep = async ({ run }: Connection, now: number): Promise<void> => {
    if (Math.abs(now - sweptAt) < SWEEP_INTERVAL) return;
    await run(removeEnded, [new Date(now - SWEEP_INTERVAL).toISOString()]);
    sweptAt = now;
  };
  const fromRow = ({ session }: Row): Stored => {
    const stored = JSON.parse(session);
    for (const time of ['startedAt', 'seenAt', 'endsAt']) stored[time] = new Date(stored[time]);
    return stored;
  };
  const toValues = (session: Stored) => [
    session.key,
    String(session.user.id),
    session.seenAt.toISOString(),
    session.endsAt.toISOString(),
    session.superseded ? 1 : 0,
    JSON.stringify(session),
  ];

  const updateIn = async (
    transaction: Connection,
    key: string,
    change: (session: Stored) => Stored,
  ): Promise<Stored | null> => {
    const session = await findLocked(transaction, key);
    if (session === null) return null;
    const changed = change(session);
    await transaction.run(update, [...toValues(changed), key]);
    return changed;
  };

  return {
    async find(key) {
      await prepare();
      return find(database.cachedRead, key);
    },
    create: (session, replaced) =>
      write(async (transaction) => {
        await lockUser(transaction, session.user.id);
        await sweep(transaction, session.startedAt.getTime());
        if (replaced !== null) await transaction.run(removeOne, [replaced]);
        await transaction.run(insert, toValues(session));
        return true;
      }),
    update: (key, change) => write((transaction) => updateIn(transaction, key, change)),
    updateIn: updateIn as never,
    renew: (key, change) =>
      write(async (transaction) => {
        const session = await findLocked(transaction, key);
        if (session === null) return null;
        const { renewed, superseded } = change(session);
        await transaction.run(update, [...toValues(superseded), key]);
        await transaction.run(insert, toValues(renewed));
        return renewed;
      }),
    async delete(key) {
      await write(({ run }) => run(removeOne, [key]));
    },
    async deleteAll(userId, exceptKey = '') {
      await write(async (transaction) => {
        await lockUser(transaction, userId);
        await transaction.run(removeOthers, [String(userId), exceptKey]);
      });
    },
    async list(userId, now) {
      await prepare();
      const values = [String(userId), now.toISOString()];
      const { rows } = await database.read.run<Row>(selectOpen, values);
      return rows.map(fromRow);
    },
  };
}
