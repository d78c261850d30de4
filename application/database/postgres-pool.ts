/**
 * Connections to the first server of the address that can be written to, as Kysely wants them: a
 * bounded pool with a bounded queue, where everything has a time limit.
 *
 * The hard case: a server that went away or was put in second place while connections to it are
 * open. The first statement that notices it fails; its connection is cut, and the pool with all
 * others of that age is replaced, so that the next statement looks for the server anew.
 */
import type { PostgresPool } from 'kysely';
import pg, { type PoolClient } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { setUp, toClientConfig, toConnection, UnsafeServer } from './postgres-connection.ts';
import { fromPostgres, isPassing } from './postgres-errors.ts';
import type { PostgresAddress } from './postgres-url.ts';

export interface PoolOptions {
  readonly access: 'read' | 'write';
  /** Connections. */
  readonly size: number;
  /** Is told what nobody waits for, such as an idle connection that broke. */
  readonly report: (error: Error) => void;
}

/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE = 30_000;
/** Statements that wait for a connection; the next one is refused at once. */
const LONGEST_QUEUE = 100;

export function createPostgresPool(address: PostgresAddress, options: PoolOptions): PostgresPool {
  const { hosts } = address;
  let preferred = 0;
  let pool = open();

  function open(): pg.Pool {
    const opened = new pg.Pool({
      ...toClientConfig(address, preferred),
      max: options.size,
      idleTimeoutMillis: IDLE,
      onConnect: (client) => setUp(client, options.access),
    });
    // Without a listener an idle connection that breaks would end the process.
    opened.on('error', options.report);
    opened.on('connect', (client) => client.on('error', () => {}));
    return opened;
  }

  /** All connections of this pool are of no use: they end when they are given back. */
  function replace(broken: pg.Pool, next = preferred): void {
    if (pool !== broken) return;
    preferred = next;
    pool = open();
    broken.end().catch(options.report);
  }

  async function acquire(): Promise<readonly [PoolClient, pg.Pool]> {
    if (pool.waitingCount >= LONGEST_QUEUE)
      throw new DatabaseUnavailable('too many statements wait for a connection.');
    for (let failed = 1; ; failed++) {
      const from = pool;
      try {
        return [await from.connect(), from];
      } catch (error) {
        const busy = from.totalCount >= options.size;
        if (error instanceof UnsafeServer) throw error;
        if (busy || failed >= hosts.length || !isPassing(error)) throw fromPostgres(error);
        replace(from, (preferred + 1) % hosts.length);
      }
    }
  }

  return {
    async connect() {
      const [client, from] = await acquire();
      return toConnection(client, () => replace(from));
    },
    end: () => pool.end(),
    options: {},
  };
}
