/**
 * What the models know of the database: Kysely for reads, statements that are built once, and one door
 * for every write. Behind it stands SQLite or PostgreSQL; no model asks which.
 */
import type { Kysely } from 'kysely';
import type { Database as Door } from 'seeother/database';
import { createKysely, createTransaction, type Writing } from './kysely.ts';
import type { Schema } from './schema.ts';
import { type CreateStatement, createStatements } from './statement.ts';

export type { Writing };

/**
 * All of it fails with a `DatabaseUnavailable` when the database is away, locked, full or too slow. For
 * what is not said here see the framework's `Database`.
 */
export interface Database extends Pick<Door, 'engine' | 'check' | 'close'> {
  /** For the framework's stores. */
  readonly door: Door;
  readonly read: Kysely<Schema>;
  readonly slowRead: Kysely<Schema>;
  /** A statement that is built once: for what every page or form needs. */
  readonly statement: CreateStatement;
  readonly write: <T>(work: (transaction: Writing) => Promise<T>) => Promise<T>;
  readonly snapshot: <T>(work: (source: Kysely<Schema>) => Promise<T>) => Promise<T>;
}

export function createDatabase(door: Door): Database {
  const { engine, check, close } = door;
  const read = createKysely(engine, door.read);
  return {
    door,
    engine,
    read,
    slowRead: createKysely(engine, door.slowRead),
    statement: createStatements(read, door.cachedRead),
    write: (work) => door.write((connection) => work(createTransaction(engine, connection))),
    snapshot: (work) => door.snapshot((connection) => work(createKysely(engine, connection))),
    check,
    close,
  };
}
