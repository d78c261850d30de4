/**
 * What the models know of the database: reads, and one door for every write. Behind it stands
 * SQLite today; nothing here or in the models says so.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A transaction that writes. */
export type Writing = Transaction<Schema>;

export interface Database {
  /** For queries that change nothing; they do not wait for a write. */
  readonly read: Kysely<Schema>;
  /** Runs the work in one transaction: all of it is on disk when the promise is fulfilled, or none. */
  readonly write: <T>(work: (transaction: Writing) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}
