/**
 * Connections to the first server of the address that can be written to: a bounded pool with a bounded
 * queue, where everything has a time limit.
 *
 * When a server goes away or becomes a standby, the first statement that notices it fails. Its connection
 * is cut, and the pool is replaced, so that the next statement looks for the server anew. Statements that
 * wait for a connection of the old pool go on to wait for one of the new.
 */
import pg, { type PoolClient } from 'pg';
import { type Connection, DatabaseUnavailable } from '../database/database.ts';
import { type ClientLimits, setUp, toClientConfig, toConnection } from './connection.ts';
import { isTransient, toUnavailable, UnsafeServer } from './errors.ts';
import type { PostgresAddress } from './url.ts';

/** For single statements, and for works that need one connection for several. */
export interface Pool extends Connection {
  readonly use: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
}

export interface PoolOptions extends ClientLimits {
  /** Connections. */
  readonly size: number;
  /** Is told what nobody waits for, such as an idle connection that broke. */
  readonly report: (error: Error) => void;
}

/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE = 30_000;
/** Statements that wait for a connection; the next one is refused at once. */
const MAX_QUEUE = 100;

/** Connections of one age. */
interface Generation {
  readonly pool: pg.Pool;
  /** Each waits for one of them, and is called when the generation ends. */
  readonly waiting: Set<() => void>;
}

export function createPool(address: PostgresAddress, options: PoolOptions): Pool {
  const { hosts } = address;
  let preferred = 0;
  let current = open();

  function open(): Generation {
    const pool = new pg.Pool({
      ...toClientConfig(address, preferred, options),
      max: options.size,
      idleTimeoutMillis: IDLE,
      onConnect: (client) => setUp(client, options.access),
    });
    // Without a listener an idle connection that breaks would end the process.
    pool.on('error', options.report);
    pool.on('connect', (client) => client.on('error', () => {}));
    return { pool, waiting: new Set() };
  }

  /** All connections of this age are of no use: they end when they are given back. */
  function replace(broken: Generation, next = preferred): void {
    if (current !== broken) return;
    preferred = next;
    current = open();
    broken.pool.end().catch(options.report);
    for (const leave of broken.waiting) leave();
  }

  async function acquire(): Promise<readonly [PoolClient, Generation]> {
    if (current.pool.waitingCount >= MAX_QUEUE)
      throw new DatabaseUnavailable('too many statements wait for a connection.');
    const end = performance.now() + options.timeout;
    for (let failed = 0; performance.now() < end; ) {
      const from = current;
      try {
        const client = await take(from, end);
        if (client !== null) return [client, from];
      } catch (error) {
        if (isQueueTimeout(error)) continue;
        const another = isTransient(error) && !(error instanceof UnsafeServer);
        if (++failed >= hosts.length || !another) throw toUnavailable(error);
        replace(from, (preferred + 1) % hosts.length);
      }
    }
    throw new DatabaseUnavailable('no connection could be had in time.');
  }

  const use: Pool['use'] = async (work) => {
    const [client, from] = await acquire();
    try {
      return await work(toConnection(client, () => replace(from)));
    } finally {
      client.release();
    }
  };
  return {
    use,
    run: (sql, values) => use((connection) => connection.run(sql, values)),
    end: () => current.pool.end(),
  };
}

/** Null when the generation ended first, or the time did. A connection that comes later is given back. */
function take({ pool, waiting }: Generation, end: number): Promise<PoolClient | null> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolClient | null>();
  const isFirst = () => {
    clearTimeout(timer);
    return waiting.delete(leave);
  };
  const leave = () => {
    if (isFirst()) resolve(null);
  };
  const timer = setTimeout(leave, end - performance.now());
  waiting.add(leave);
  pool.connect().then(
    (client) => (isFirst() ? resolve(client) : client.release()),
    (error) => isFirst() && reject(error),
  );
  return promise;
}

/** `pg` applies its connect timeout to queueing too; retry until our own deadline. */
function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded');
}
