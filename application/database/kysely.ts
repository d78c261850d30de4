/** Kysely over a connection of either engine. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';
import type { Connection, Database, Value, WriteTransaction } from 'seeother/database';
import type { Schema } from './schema.ts';

/** For the SQL that differs between the engines: it stands beside the code that needs it. */
export function isSqlite(source: QueryExecutorProvider): boolean {
  return source.getExecutor().adapter instanceof SqliteAdapter;
}

/** SQLite can undo a change of tables too: a migration is done whole or not at all. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const PARTS = {
  sqlite: {
    begin: 'begin immediate',
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    begin: 'begin',
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
} satisfies Record<Database['engine'], Omit<Dialect, 'createDriver'> & { readonly begin: string }>;

/** Every statement runs on the connection. Only one for migrations can begin transactions. */
export function createKysely(
  engine: Database['engine'],
  connection: Connection,
  canBegin = false,
): Kysely<Schema> {
  const { begin, ...parts } = PARTS[engine];
  const run = async (sql: string) => {
    if (!canBegin) throw new Error('Cannot begin a transaction here: use write or snapshot.');
    await connection.run(sql);
  };
  const one = toDatabaseConnection(connection);
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => one,
    beginTransaction: () => run(begin),
    commitTransaction: () => run('commit'),
    // After some errors SQLite has rolled back already.
    rollbackTransaction: () => run('rollback').catch(() => {}),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely({ dialect: { ...parts, createDriver: () => driver } });
}

/** A transaction that writes. `run` takes the SQL of a statement that was built before. */
export type Writing = Transaction<Schema> & WriteTransaction;

/** `database` is on the same engine. The transaction has begun, and its owner ends it. */
export function toTransaction(database: Kysely<Schema>, connection: WriteTransaction): Writing {
  const one = toDatabaseConnection(connection);
  const executor = database
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(one) });
  const dialect = DIALECTS[isSqlite(database) ? 'sqlite' : 'postgres'];
  const transaction = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor });
  return Object.assign(transaction, connection);
}

/** A transaction asks them for no connection: it has one. */
const driver = new DummyDriver();
const DIALECTS = {
  sqlite: { ...PARTS.sqlite, createDriver: () => driver },
  postgres: { ...PARTS.postgres, createDriver: () => driver },
};

function toDatabaseConnection(connection: Connection): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      const { rows, changes } = await connection.run<R>(sql, parameters as readonly Value[]);
      return { rows: rows as R[], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('Cannot stream rows: execute the query.');
    },
  };
}
