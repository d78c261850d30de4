/**
 * Kysely over a thread, for reads of SQLite that may take long: a search of many items takes 0.1 s, and
 * the thread of the event loop answers requests meanwhile. The first query starts the thread. One that
 * ends by itself fails its query, and the next query starts another.
 */
import { Worker } from 'node:worker_threads';
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
import { DatabaseUnavailable } from './database-unavailable.ts';
import { fromSqlite } from './sqlite-errors.ts';
import type { Question, ReadThreadData, Reply } from './sqlite-read-thread.ts';

/** `start` starts the thread. */
export function createSlowReadDialect(data: ReadThreadData, start = startThread): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ThreadDriver(() => start(data)),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The adapter says that there is one connection, so Kysely asks one question at a time. */
class ThreadDriver implements Driver {
  readonly #startThread: () => Worker;
  readonly #connection: DatabaseConnection;
  #worker: Worker | null = null;

  constructor(start: () => Worker) {
    this.#startThread = start;
    this.#connection = {
      executeQuery: async (query) => this.#ask(query),
      streamQuery: () => refuse('stream'),
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction = () => refuse('begin a transaction');
  commitTransaction = () => refuse('commit');
  rollbackTransaction = () => refuse('roll back');

  async destroy(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<R>>();
    const worker = this.#start();
    const end = (cause?: unknown) => {
      reject(new DatabaseUnavailable('the thread that searches it has ended.', { cause }));
    };
    const take = (reply: Reply) => {
      // In watch mode Node posts messages of its own on this channel.
      if (!('rows' in reply || 'failure' in reply)) return;
      worker.off('message', take).off('error', end).off('exit', end).unref();
      if ('rows' in reply) resolve({ rows: reply.rows as R[] });
      else reject(fromSqlite(Object.assign(new Error(reply.failure.message), reply.failure)));
    };
    worker.on('message', take).on('error', end).on('exit', end).ref();
    worker.postMessage({ sql, parameters } satisfies Question);
    return promise;
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    try {
      const worker = this.#startThread();
      const forget = () => {
        if (this.#worker === worker) this.#worker = null;
      };
      this.#worker = worker.on('error', forget).on('exit', forget);
      return worker;
    } catch (cause) {
      throw new DatabaseUnavailable('no thread could be started to search it.', { cause });
    }
  }
}

function startThread(workerData: ReadThreadData): Worker {
  // Without the options of this process, which may be meant for its first file alone.
  const url = new URL('./sqlite-read-thread.ts', import.meta.url);
  return new Worker(url, { name: 'search', workerData, execArgv: [] });
}

function refuse(what: string): never {
  throw new Error(`Cannot ${what}: this connection is for single reads.`);
}
