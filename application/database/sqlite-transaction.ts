/** A turn of the thread that writes, as the transaction that Kysely and the models know. */
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
import type { Turn } from './group-commit.ts';
import { isSent } from './send.ts';
import { toQueryResult } from './sqlite-dialect.ts';

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();
const driver = new DummyDriver();

/** Statements run in the turn, and fail when it is over. `dialect` is the one of the reads. */
export function toTransaction(turn: Turn, dialect: Dialect): Writing {
  const connection = toConnection(turn);
  const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  return new Transaction({ config: { dialect }, dialect, driver, executor });
}

function toConnection({ run }: Turn): DatabaseConnection {
  return {
    async executeQuery(query: CompiledQuery) {
      const { sql, parameters } = query;
      if (!parameters.every(canTravel)) {
        throw new TypeError(`Cannot run ${sql}: a value is no text, no number and no bytes.`);
      }
      const running = run(sql, parameters);
      if (!isSent(query)) return toQueryResult(await running);
      // When it fails, so does the work.
      running.catch(() => {});
      return { rows: [] };
    },
    streamQuery() {
      throw new Error('Cannot stream rows from a transaction of SQLite: execute the query.');
    },
  };
}

/** SQLite takes nothing else, but says so only where it has arrived. */
function canTravel(value: unknown): boolean {
  if (typeof value === 'object') return value === null || ArrayBuffer.isView(value);
  return typeof value !== 'function' && typeof value !== 'symbol';
}
