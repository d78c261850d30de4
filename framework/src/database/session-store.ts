/**
 * Sessions in a table. A change locks the row of its session before it reads it, so no change of another request is
 * lost. A log-in, a new id and the end of all sessions of a user first lock the user, so the end of all sessions
 * finds both rows of a session that is being renewed, or neither.
 */
import { andThen } from '../http/awaitable.ts';
import type { Session, SessionUser } from '../session/session.ts';
import type { SessionStore, SessionsInTransaction } from '../session/session-store.ts';
import type { Connection, Database, Value, WriteTransaction } from './database.ts';
import { openTable } from './tables.ts';

/** A table of sessions of your own, whose users are in a table, too. */
export interface SessionTable<
  User extends SessionUser,
  Transaction,
  Column extends string = string,
> {
  /** The SQL name of the table. It has the columns of `seeother_logins` but `user_id` and `user_json`. */
  readonly table: string;
  /** Statements that create it and what it refers to, if they are not there: run before its first use. */
  readonly create?: readonly string[];
  /** Its column with the id of the user. */
  readonly userId: string;
  /** The SQL name of the table of users, whose key is `id`. */
  readonly users: string;
  /** Columns of the users, for `toUser`. */
  readonly columns: readonly Column[];
  /** The user as the row is now, not as it was at the log-in. */
  readonly toUser: (row: Readonly<Record<Column, Value>>) => User;
  /**
   * Runs in the transaction of each log-in, with the row of the user locked. With false the log-in is refused, such
   * as after a change of password (`user.version`).
   */
  readonly admit?: (transaction: Transaction, session: Session<User>) => Promise<boolean>;
}

/** Sessions of one user. A further log-in ends the one that was seen least recently, with its draft. */
const MAX_SESSIONS = 20;
const DAY = 86_400_000;

/** The columns that an update may change. Times are text, in ISO 8601. Empty texts stand for nothing. */
interface SessionRow {
  readonly key: string;
  readonly seen_at: string;
  readonly ends_at: string;
  /** 0 or 1. */
  readonly remembered: number;
  readonly agent: string;
  readonly address: string;
  /** JSON. */
  readonly flashes: string;
  readonly draft: string;
  readonly superseded: number;
}

type StoredRow = SessionRow & Readonly<Record<string, Value>> & { readonly started_at: string };

/**
 * The store for `loadSession`. It creates its table when it is first used, and removes a session a day after its
 * end. It has no table of users, so the user of a session is the one of the log-in, `user.version` is ignored, and no
 * log-in is refused. With `existing`, it uses that table, and leaves ended sessions in it unless it creates it.
 */
export function createSessionStore<
  User extends SessionUser = SessionUser,
  Transaction extends WriteTransaction = WriteTransaction,
>(
  database: Database<Transaction>,
  existing: SessionTable<User, Transaction> | null = null,
): SessionStore<User> & SessionsInTransaction<Transaction> {
  type Stored = Session<User>;
  const isPostgres = database.engine === 'postgres';
  const userId = existing?.userId ?? 'user_id';
  const own = openTable(
    database,
    existing?.create === undefined ? (existing?.table ?? null) : null,
    existing?.table ?? 'seeother_logins',
    existing?.create === undefined ? toCreate : () => existing.create ?? [],
    // Ended sessions stay for a day, because a clock that is ahead may be corrected.
    { column: 'ends_at', after: DAY, every: DAY },
  );
  const { name: table, prepare, write, sweep } = own;
  const userColumns =
    existing === null
      ? 's.user_json'
      : existing.columns.map((name) => `u.${name} as user_${name}`).join();
  const select = `select s.key, s.started_at, s.seen_at, s.ends_at, s.remembered, s.agent, s.address,
    s.flashes, s.draft, s.superseded, ${userColumns} from ${table} s
    ${existing === null ? '' : `join ${existing.users} u on u.id = s.${userId}`}`;
  const selectOne = `${select} where s.key = ?`;
  const selectOpen = `${select} where s.${userId} = ? and s.ends_at > ? and s.superseded = 0
    order by s.seen_at desc`;
  const removeOne = `delete from ${table} where key = ?`;
  const removeOthers = `delete from ${table} where ${userId} = ? and key <> ?`;
  const removeOldest = `delete from ${table} where ${userId} = ? and key not in (select key
    from ${table} where ${userId} = ? order by key = ? desc, seen_at desc, started_at desc
    limit ${MAX_SESSIONS})`;
  // On SQLite, a transaction that writes already holds the only lock.
  const selectLocked = isPostgres ? `${selectOne} for no key update of s` : selectOne;
  const selectFlashes = `select flashes from ${table} where key = ?${isPostgres ? ' for no key update' : ''}`;
  const setFlashes = `update ${table} set flashes = ? where key = ?`;
  const selectUser =
    existing === null
      ? 'select pg_advisory_xact_lock(5334304, hashtext(?))'
      : `select id from ${existing.users} where id = ? for no key update`;

  const lockUser = async ({ run }: Connection, id: User['id']): Promise<void> => {
    if (isPostgres) await run(selectUser, [String(id)]);
  };
  const toUser = (row: StoredRow): User =>
    existing === null
      ? JSON.parse(String(row['user_json']))
      : existing.toUser(
          Object.fromEntries(existing.columns.map((name) => [name, row[`user_${name}`] ?? null])),
        );
  const fromRow = (row: StoredRow): Stored => ({
    key: row.key,
    user: toUser(row),
    startedAt: new Date(row.started_at),
    seenAt: new Date(row.seen_at),
    endsAt: new Date(row.ends_at),
    remembered: row.remembered === 1,
    agent: row.agent,
    address: row.address,
    flashes: fromJson(row.flashes) ?? [],
    draft: fromJson(row.draft),
    superseded: row.superseded === 1,
  });
  const insert = async ({ run }: Connection, session: Stored): Promise<void> => {
    const row = {
      ...toRow(session),
      started_at: session.startedAt.toISOString(),
      [userId]: String(session.user.id),
      ...(existing === null ? { user_json: JSON.stringify(session.user) } : {}),
    };
    const names = Object.keys(row);
    await run(
      `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`,
      Object.values(row),
    );
  };
  /** Writes the columns that differ: SQLite rewrites the index of each column that is named, changed or not. */
  const replace = async ({ run }: Connection, row: SessionRow, session: Stored): Promise<void> => {
    const changed = toRow(session);
    const names = (Object.keys(changed) as (keyof SessionRow)[]).filter(
      (name) => changed[name] !== row[name],
    );
    if (names.length === 0) return;
    const columns = names.map((name) => `${name} = ?`).join();
    const values = names.map((name) => changed[name]);
    await run(`update ${table} set ${columns} where key = ?`, [...values, row.key]);
  };
  const findLocked = async ({ run }: Connection, key: string) =>
    (await run<StoredRow>(selectLocked, [key])).rows[0] ?? null;

  /** Each form of a user who is logged in leaves a message, so this reads and writes nothing else of the session. */
  const changeFlashes: SessionsInTransaction<Transaction>['changeFlashes'] = async (
    { run },
    key,
    change,
  ) => {
    const [row] = (await run<Pick<SessionRow, 'flashes'>>(selectFlashes, [key])).rows;
    if (row === undefined) return;
    const flashes = toJson(change(fromJson(row.flashes) ?? []));
    if (flashes !== row.flashes) await run(setFlashes, [flashes, key]);
  };

  /** The cache of reads returns the same array of rows until a commit. */
  const found = new WeakMap<readonly StoredRow[], Stored>();

  return {
    find: (key) =>
      andThen(prepare(), () =>
        andThen(database.cachedRead.run<StoredRow>(selectOne, [key]), ({ rows }) => {
          const [row] = rows;
          if (row === undefined) return null;
          const session = found.get(rows) ?? fromRow(row);
          found.set(rows, session);
          return session;
        }),
      ),
    create: (session, replaced) =>
      write(async (transaction) => {
        const { id } = session.user;
        await lockUser(transaction, id);
        if ((await existing?.admit?.(transaction, session)) === false) return false;
        await sweep(transaction, session.startedAt.getTime());
        if (replaced !== null) await transaction.run(removeOne, [replaced]);
        await insert(transaction, session);
        await transaction.run(removeOldest, [String(id), String(id), session.key]);
        return true;
      }),
    update: (key, change) =>
      write(async (transaction) => {
        const row = await findLocked(transaction, key);
        if (row === null) return null;
        const changed = change(fromRow(row));
        await replace(transaction, row, changed);
        return changed;
      }),
    changeFlashes,
    renew: (key, change) =>
      write(async (transaction) => {
        const [known] = (await transaction.run<StoredRow>(selectOne, [key])).rows;
        if (known === undefined) return null;
        await lockUser(transaction, toUser(known).id);
        const row = await findLocked(transaction, key);
        if (row === null) return null;
        const { renewed, superseded } = change(fromRow(row));
        await replace(transaction, row, superseded);
        await insert(transaction, renewed);
        return renewed;
      }),
    async delete(key) {
      await write(({ run }) => run(removeOne, [key]));
    },
    async deleteAll(id, exceptKey = '') {
      await write(async (transaction) => {
        await lockUser(transaction, id);
        await transaction.run(removeOthers, [String(id), exceptKey]);
      });
    },
    list: async (id, now) =>
      (await own.read<StoredRow>(selectOpen, [String(id), now.toISOString()])).map(fromRow),
  };
}

const toCreate = (name: string) => [
  `create table if not exists ${name} (key text primary key, user_id text not null,
    user_json text not null, started_at text not null, seen_at text not null, ends_at text not null,
    remembered integer not null, agent text not null, address text not null,
    flashes text not null, draft text not null, superseded integer not null)`,
  `create index if not exists ${name}_by_user on ${name} (user_id)`,
  `create index if not exists ${name}_by_end on ${name} (ends_at)`,
];

function toRow(session: Session<SessionUser>): SessionRow {
  const { key, agent, address, flashes, draft } = session;
  return {
    key,
    seen_at: session.seenAt.toISOString(),
    ends_at: session.endsAt.toISOString(),
    remembered: session.remembered ? 1 : 0,
    agent,
    address,
    flashes: toJson(flashes),
    draft: draft === null ? '' : JSON.stringify(draft),
    superseded: session.superseded ? 1 : 0,
  };
}

function toJson(list: readonly unknown[]): string {
  return list.length === 0 ? '' : JSON.stringify(list);
}

function fromJson(text: string) {
  return text === '' ? null : JSON.parse(text);
}
