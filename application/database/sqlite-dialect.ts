/**
 * Kysely over node:sqlite. One connection each; whoever asks for it while it is taken waits in line.
 * A transaction takes the write lock when it begins, so that it never
 * fails half way because another process has written meanwhile. A file that is locked, full or
 * broken is a `DatabaseUnavailable`.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { BEGIN_SQLITE } from './engine.ts';
import { fromSqlite } from './sqlite-errors.ts';
import { keepStatements, type Ran, type RunStatement } from './sqlite-statements.ts';

export function createSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(database),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite can undo a change of tables too: a migration is done whole or not at all. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  // The adapter says that there is one connection: Kysely keeps the line of those who wait for it.
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    this.#run(BEGIN_SQLITE);
  }

  async commitTransaction(): Promise<void> {
    this.#run('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // After some errors, a full disk among them, SQLite has rolled back already.
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  async destroy(): Promise<void> {
    this.#database.close();
  }

  #run(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw fromSqlite(error);
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #run: RunStatement;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#run = keepStatements(database);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return toQueryResult(this.#run(sql, parameters));
    } catch (error) {
      throw fromSqlite(error);
    }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // A statement of its own: a kept one could be run again before this is read to its end.
    const rows = this.#database.prepare(sql).iterate(...(parameters as SQLInputValue[]));
    for (const row of rows) yield { rows: [row as R] };
  }
}

export function toQueryResult<R>({ rows, changes, lastInsertRowid }: Ran): QueryResult<R> {
  if (changes === undefined || lastInsertRowid === undefined) return { rows: rows as R[] };
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}
