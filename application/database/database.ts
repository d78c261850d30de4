/**
 * What the models know of the database: reads, and one door for every write. Behind it stands SQLite
 * or PostgreSQL; nothing in the models asks which.
 */
import type { Compilable, Expression, Kysely, Transaction } from 'kysely';
import type { Awaitable } from './awaitable.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** Stand in a query for the values that it will be run with. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> };

/**
 * What the query gives for these values. It may be the very thing that was given before: nobody changes
 * it. Fails with a `DatabaseUnavailable` as every read does.
 */
export type PreparedRead<Values, Result> = (values: Values) => Awaitable<Result>;

/**
 * Builds the query, once. The values are named by the type of its second parameter:
 * `(read, { key }: Placeholders<{ readonly key: string }>) => read.selectFrom(…).where('key', '=', key)`.
 */
export type BuildStatement<Values, Row> = (
  read: Kysely<Schema>,
  values: Placeholders<Values>,
) => Compilable<Row>;

/** A transaction that writes. */
export type Writing = Transaction<Schema>;

/** Everything here fails with a `DatabaseUnavailable` when the database is away, locked, full or too slow. */
export interface Database {
  readonly engine: Engine;
  /** For queries that change nothing; they do not wait for a write. */
  readonly read: Kysely<Schema>;
  /**
   * For queries that may take long, such as searches. They wait for one another, and hold up nothing else:
   * on SQLite they run in a thread, on PostgreSQL over connections of their own.
   */
  readonly slowRead: Kysely<Schema>;
  /**
   * Makes a read of a query that is built once: for what every page asks. It sees what was committed
   * last; on SQLite it answers at once, and may see a commit a moment before it is on disk.
   */
  readonly prepare: <Values, Row, Result>(
    build: BuildStatement<Values, Row>,
    fromRows: (rows: readonly Row[]) => Result,
  ) => PreparedRead<Values, Result>;
  /**
   * Runs the work in one transaction: all of it is on disk when the promise is fulfilled, or none. The
   * work may be run again, when another one was in its way or has failed beside it: it changes nothing but
   * the database. It holds others up, so it waits for nothing else, and calls no other write.
   */
  readonly write: <T>(work: (transaction: Writing) => Promise<T>) => Promise<T>;
  /** Resolves when the database answers a read. It writes nothing. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}
