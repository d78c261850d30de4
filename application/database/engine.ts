/**
 * All SQL that differs between the two engines, apart from the dialects: locks, types of columns and
 * how a connection is set up. Everything else is Kysely, the same for both.
 *
 * The hard case: a transaction of SQLite holds the one lock for writing from its start, so nothing
 * more has to be locked. In PostgreSQL writers run beside each other ("read committed"): whoever
 * reads in order to write locks what was read.
 */
import { type Kysely, type QueryExecutor, type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { Database, Engine, Writing } from './database.ts';
import type { Schema } from './schema.ts';

interface Queryable {
  readonly getExecutor: () => QueryExecutor;
}

export function engineOf(database: Queryable): Engine {
  return database.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

/** Changes to the row by others wait until the transaction ends; what is read of it now stays true. */
export async function lockRow(
  transaction: Writing,
  table: 'accounts' | 'sessions',
  column: 'id' | 'key',
  value: number | string,
): Promise<void> {
  if (engineOf(transaction) === 'sqlite') return;
  await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${value}
    for no key update`.execute(transaction);
}

/** What is decided by the absence of a row has no row to lock. The numbers are known to PostgreSQL alone. */
const LOCKS = { accounts: 1, tries: 2, samples: 3 };
/** Before the number, so that other programs in the same database have other locks. */
const OURS = 5_334_303;

/** Of transactions that take the same lock, the others wait until this one ends. */
export async function lockFor(transaction: Writing, what: keyof typeof LOCKS): Promise<void> {
  if (engineOf(transaction) === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(${sql.lit(OURS)}, ${sql.lit(LOCKS[what])})`.execute(
    transaction,
  );
}

export async function hasTable(database: Kysely<Schema>, name: string): Promise<boolean> {
  const inSqlite = sql`select 1 from sqlite_master where name = ${name}`;
  const inPostgres = sql`select 1 where to_regclass(${name}) is not null`;
  const query = engineOf(database) === 'sqlite' ? inSqlite : inPostgres;
  return (await query.execute(database)).rows.length > 0;
}

/** A whole number up to 2^53. In SQLite only "integer" makes a primary key of a row its address. */
export function integerType(database: Queryable): 'integer' | 'bigint' {
  return engineOf(database) === 'sqlite' ? 'integer' : 'bigint';
}

/** Text that is compared and sorted byte by byte, whatever the language of the server. */
export function textType(database: Queryable): 'text' | RawBuilder<unknown> {
  return engineOf(database) === 'sqlite' ? 'text' : sql`text collate "C"`;
}

/** In PostgreSQL two tables cannot both have a key of that name: the old table gives it up. */
export async function giveUpKey(
  database: Queryable,
  table: string,
  constraint: string,
): Promise<void> {
  if (engineOf(database) === 'sqlite') return;
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(constraint)}`.execute(
    database,
  );
}

/** Text that was never given before. */
export function freshName(database: Queryable): RawBuilder<string> {
  return engineOf(database) === 'sqlite'
    ? sql`lower(hex(randomblob(16)))`
    : sql`gen_random_uuid()::text`;
}

/** Runs the statement, which holds no values, in every transaction that changes the table so. */
export async function afterEveryChange(
  database: Queryable,
  table: string,
  events: readonly string[],
  statement: RawBuilder<unknown>,
): Promise<void> {
  if (engineOf(database) === 'sqlite') {
    for (const event of events) {
      const name = `after_${event.replaceAll(' ', '_')}_${table}`;
      await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)}
        on ${sql.table(table)} begin ${statement}; end`.execute(database);
    }
    return;
  }
  const name = sql.ref(`after_change_of_${table}`);
  await sql`create function ${name}() returns trigger language plpgsql
    as $$ begin ${statement}; return null; end $$`.execute(database);
  await sql`create trigger ${name} after ${sql.raw(events.join(' or '))}
    on ${sql.table(table)} for each statement execute function ${name}()`.execute(database);
}

/** Runs the statement, which knows the row as `old`, after each row that anybody deletes. */
export async function afterDelete(
  database: Queryable,
  table: string,
  name: string,
  statement: string,
): Promise<void> {
  const [trigger, work] = [sql.ref(name), sql.raw(statement)];
  if (engineOf(database) === 'sqlite') {
    await sql`create trigger ${trigger} after delete on ${sql.table(table)}
      begin ${work}; end`.execute(database);
    return;
  }
  await sql`create function ${trigger}() returns trigger language plpgsql
    as $$ begin ${work}; return null; end $$`.execute(database);
  await sql`create trigger ${trigger} after delete on ${sql.table(table)}
    for each row execute function ${trigger}()`.execute(database);
}

/**
 * A table of the words of rows: `rowid` is the number of the row, and `words` are parted by spaces.
 * Both engines take the words as they are; SQLite keeps short beginnings of them besides.
 */
export async function createWordTable(database: Kysely<unknown>, table: string): Promise<void> {
  if (engineOf(database) === 'sqlite') {
    await sql`create virtual table ${sql.table(table)} using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
    return;
  }
  await sql`create table ${sql.table(table)}
    (rowid bigint primary key, words tsvector not null)`.execute(database);
  await sql`create index on ${sql.table(table)} using gin (words)
    with (fastupdate = off)`.execute(database);
}

/**
 * The numbers, as `number`, of the rows that have a word with each beginning, which are letters and
 * digits; of none when there is no beginning.
 */
export function matchWords(
  database: Queryable,
  table: string,
  beginnings: readonly string[],
): RawBuilder<unknown> {
  const name = sql.table(table);
  if (engineOf(database) === 'sqlite') {
    const query = beginnings.map((word) => `"${word}"*`).join(' ') || '""';
    return sql`select rowid as number from ${name} where ${name} match ${query}`;
  }
  const query = beginnings.map((word) => `${word}:*`).join(' & ');
  return sql`select rowid as number from ${name} where words @@ ${query}::tsquery`;
}

/**
 * The numbers, as `number`, that all queries answer with. SQLite merges queries that are in order as
 * it reads them; PostgreSQL chooses by what it knows of the tables which one it starts with.
 */
export function inAll(
  database: Queryable,
  table: string,
  queries: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  if (queries.length === 1 || engineOf(database) === 'sqlite')
    return sql.join(queries, sql` intersect `);
  const conditions = queries.map((query) => sql`number in (${query})`);
  return sql`select number from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`;
}

/** After many rows at once: PostgreSQL counts them by itself only a minute later, and guesses until then. */
export async function countRowsAnew(database: Queryable, tables: readonly string[]): Promise<void> {
  if (engineOf(database) === 'sqlite') return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database);
}

/** All that the work reads is of one moment, whoever writes meanwhile, and however long it takes. */
export function readOneMoment<T>(
  { engine, read }: Database,
  work: (source: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  if (engine === 'postgres') {
    return read
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (source) => {
        await takeTime(source);
        return work(source);
      });
  }
  return read.connection().execute(async (source) => {
    await sql`begin`.execute(source);
    try {
      return await work(source);
    } finally {
      await sql`rollback`.execute(source);
    }
  });
}

/** The transaction may stand still for as long as it likes; in SQLite for five seconds, as ever. */
export async function takeTime(transaction: Kysely<Schema>): Promise<void> {
  if (engineOf(transaction) === 'sqlite') return;
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
}

/** Until the transaction ends, nobody else writes to them. */
export async function lockTables(transaction: Writing, names: readonly string[]): Promise<void> {
  if (engineOf(transaction) === 'sqlite') return;
  const tables = sql.join(names.map((name) => sql.table(name)));
  await sql`lock table ${tables} in exclusive mode`.execute(transaction);
}

/** Bytes of the write-ahead log of SQLite from which a checkpoint is due, and to which it shrinks. */
export const LOG_SIZE_SQLITE = 16 * 1_048_576;
/**
 * How a connection of SQLite that writes is set up. A commit does not sync the log: group-commit.ts
 * does. Nor does it checkpoint. What SQLite still syncs by itself goes through the drive's cache on macOS.
 */
export const SET_UP_SQLITE = `pragma journal_mode = wal; pragma synchronous = normal;
  pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${LOG_SIZE_SQLITE};
  pragma fullfsync = on; pragma checkpoint_fullfsync = on`;
/** How a transaction of SQLite begins: with the lock for writing. */
export const BEGIN_SQLITE = 'begin immediate';

/**
 * What has to be known of a server before it is used. What it says of synchronous_commit is set for the
 * connection too: a server that is told otherwise later changes it for new connections alone, which ask.
 */
export const ASK_POSTGRES = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean
  as "readOnly", set_config('synchronous_commit', current_setting('synchronous_commit'), false)
  as "synchronousCommit"`;
export const ONLY_READ_POSTGRES = 'set default_transaction_read_only = on';

/** Of instances that start at once, one migrates and the others wait; it may take its time. */
export const LOCK_MIGRATIONS_POSTGRES = [
  'set statement_timeout = 0',
  "set lock_timeout = '60s'",
  `select pg_advisory_lock(${OURS}, 0)`,
];
export const UNLOCK_MIGRATIONS_POSTGRES = [
  `select pg_advisory_unlock(${OURS}, 0)`,
  'reset lock_timeout',
  'reset statement_timeout',
];
