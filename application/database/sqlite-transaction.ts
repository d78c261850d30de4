/** The statements of a work, as the transaction that Kysely and the models know. */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  SqliteAdapter,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';
import type { Writing } from './database.ts';
import { toQueryResult } from './sqlite-dialect.ts';
import type { RunStatement } from './sqlite-statements.ts';

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();
const driver = new DummyDriver();

/** `dialect` is the one of the reads. */
export function toTransaction(run: RunStatement, dialect: Dialect): Writing {
  const connection = toConnection(run);
  const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  return new Transaction({ config: { dialect }, dialect, driver, executor });
}

function toConnection(run: RunStatement): DatabaseConnection {
  return {
    executeQuery: async ({ sql, parameters }: CompiledQuery) => toQueryResult(run(sql, parameters)),
    streamQuery() {
      throw new Error('Cannot stream rows from a transaction of SQLite: execute the query.');
    },
  };
}
