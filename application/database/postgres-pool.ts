/**
 * Connections to the first server of the address that can be written to, as Kysely wants them: a
 * bounded pool with a bounded queue, where everything has a time limit.
 *
 * The hard case: a server that went away or was put in second place while connections to it are
 * open. The first statement that notices it fails; its connection is cut, and the pool with all
 * others of that age is replaced, so that the next statement looks for the server anew. Those that
 * wait for a connection of the old pool go on to wait for one of the new.
 */
import type { PostgresPool } from 'kysely';
import pg, { type PoolClient } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import {
  type Access,
  setUp,
  toClientConfig,
  toConnection,
  UnsafeServer,
} from './postgres-connection.ts';
import { isPassing, toUnavailable } from './postgres-errors.ts';
import type { PostgresAddress } from './postgres-url.ts';

export interface PoolOptions {
  readonly access: Access;
  /** Connections. */
  readonly size: number;
  /** Milliseconds to wait for a connection, from however many pools in all, and for an answer. */
  readonly timeout: number;
  /** Is told what nobody waits for, such as an idle connection that broke. */
  readonly report: (error: Error) => void;
}

/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE = 30_000;
/** Statements that wait for a connection; the next one is refused at once. */
const LONGEST_QUEUE = 100;

/** Connections of one age. */
interface Generation {
  readonly pool: pg.Pool;
  /** Those who wait for one of them; each is told when the generation ends. */
  readonly waiting: Set<() => void>;
}

export function createPostgresPool(address: PostgresAddress, options: PoolOptions): PostgresPool {
  const { hosts } = address;
  const { access, timeout } = options;
  let preferred = 0;
  let current = open();

  function open(): Generation {
    const pool = new pg.Pool({
      ...toClientConfig(address, preferred, { access, timeout }),
      max: options.size,
      idleTimeoutMillis: IDLE,
      onConnect: (client) => setUp(client, access),
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
    if (current.pool.waitingCount >= LONGEST_QUEUE)
      throw new DatabaseUnavailable('too many statements wait for a connection.');
    const end = performance.now() + timeout;
    for (let failed = 0; performance.now() < end; ) {
      const from = current;
      try {
        const client = await take(from, end);
        if (client !== null) return [client, from];
      } catch (error) {
        if (isOfTheLine(error)) continue;
        const another = isPassing(error) && !(error instanceof UnsafeServer);
        if (++failed >= hosts.length || !another) throw toUnavailable(error);
        replace(from, (preferred + 1) % hosts.length);
      }
    }
    throw new DatabaseUnavailable('no connection could be had in time.');
  }

  return {
    async connect() {
      const [client, from] = await acquire();
      return toConnection(client, () => replace(from));
    },
    end: () => current.pool.end(),
    options: {},
  };
}

/** Null when the generation ended first, or the time did: what comes later is not wanted any more. */
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

/** The driver lets nobody stand in line for longer than it tries to connect. Who has time left does it again. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded');
}
