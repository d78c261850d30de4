/**
 * What the models know of the database: reads, and one door for every write. Behind it stands SQLite
 * or PostgreSQL; nothing in the models asks which.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import type { BuildStatement, Statement } from './statement.ts';

export type Engine = 'sqlite' | 'postgres';

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
   * Makes a statement that is built once: for what every page or form needs. On SQLite a read may see a
   * commit a moment before it is on disk.
   */
  readonly statement: <Values, Row, Result = Row>(
    build: BuildStatement<Values, Row>,
    fromRow?: (row: Row) => Result,
  ) => Statement<Values, Result>;
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
