/**
 * The database as the models use it, over either engine: Kysely for reads, prepared statements, and one function for
 * all writes. The models do not know which engine it is.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
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
import type { Connection, Database as Door, Value, WriteTransaction } from 'seeother/database';
import type { Schema } from './schema.ts';
import { type CreateStatement, createStatements } from './statement.ts';

/** For SQL that differs between the engines, which is beside the code that needs it. */
export function isSqlite(source: QueryExecutorProvider): boolean {
  return source.getExecutor().adapter instanceof SqliteAdapter;
}

/** A connection is given, and its owner begins and ends its transaction. */
class NoDriver extends DummyDriver {
  override async beginTransaction(): Promise<never> {
    throw new Error('Cannot begin a transaction here: use write or snapshot.');
  }
}

const driver = new NoDriver();
const DIALECTS: Readonly<Record<Door['engine'], Dialect>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};
const EXECUTORS = {
  sqlite: new Kysely({ dialect: DIALECTS.sqlite }).getExecutor(),
  postgres: new Kysely({ dialect: DIALECTS.postgres }).getExecutor(),
};

/** Every statement runs on the connection. */
export function createKysely(engine: Door['engine'], connection: Connection): Kysely<Schema> {
  return new Kysely(createProps(engine, connection));
}

/** A transaction that writes. `run` takes the SQL of a statement that was built before. */
export type KyselyTransaction = Transaction<Schema> & WriteTransaction;

export function createTransaction(
  engine: Door['engine'],
  connection: WriteTransaction,
): KyselyTransaction {
  return Object.assign(new Transaction<Schema>(createProps(engine, connection)), connection);
}

function createProps(engine: Door['engine'], connection: Connection) {
  const dialect = DIALECTS[engine];
  const one: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      const { rows, changes } = await connection.run<R>(sql, parameters as readonly Value[]);
      return { rows: rows as R[], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('Cannot stream rows: execute the query.');
    },
  };
  const executor = EXECUTORS[engine].withConnectionProvider({
    provideConnection: (consumer) => consumer(one),
  });
  return { config: { dialect }, dialect, driver, executor };
}

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
  readonly write: <T>(work: (transaction: KyselyTransaction) => Promise<T>) => Promise<T>;
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
