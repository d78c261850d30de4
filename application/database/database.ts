/**
 * The database as the models use it: Kysely for reads, prepared statements, and one function for all writes. The
 * models do not know whether it is SQLite or PostgreSQL.
 */
import type { Kysely } from 'kysely';
import type { Database as Door } from 'seeother/database';
import { createKysely, createTransaction, type Writing } from './kysely.ts';
import type { Schema } from './schema.ts';
import { type CreateStatement, createStatements } from './statement.ts';

export type { Writing };

/**
 * Everything rejects with a `DatabaseUnavailable` while the database is unavailable, locked, full or too slow. The
 * framework's `Database` documents the rest.
 */
export interface Database extends Pick<Door, 'engine' | 'writeFailure' | 'check' | 'close'> {
  /** The framework's database, for its stores. */
  readonly door: Door;
  readonly read: Kysely<Schema>;
  readonly slowRead: Kysely<Schema>;
  /** Prepares a statement that runs often; see statement.ts. */
  readonly statement: CreateStatement;
  readonly write: <T>(work: (transaction: Writing) => Promise<T>) => Promise<T>;
  readonly snapshot: <T>(work: (source: Kysely<Schema>) => Promise<T>) => Promise<T>;
}

export function createDatabase(door: Door): Database {
  const { engine, writeFailure, check, close } = door;
  const read = createKysely(engine, door.read);
  return {
    door,
    engine,
    read,
    slowRead: createKysely(engine, door.slowRead),
    statement: createStatements(read, door.cachedRead),
    write: (work) => door.write((connection) => work(createTransaction(engine, connection))),
    snapshot: (work) => door.snapshot((connection) => work(createKysely(engine, connection))),
    writeFailure,
    check,
    close,
  };
}
