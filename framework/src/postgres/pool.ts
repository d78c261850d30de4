/**
 * Connections to the first writable server of the address: a bounded pool with a bounded queue, where every wait
 * has a time limit.
 *
 * When a server disappears or becomes a standby, the first statement that notices it fails. Its connection is
 * destroyed and the pool is replaced, so that the next statement searches for the writable server again. It asks all
 * hosts at once, because one that hangs does not answer. Statements that wait for a connection of the old pool then
 * wait for one of the new pool.
 */
import pg, { type PoolClient } from 'pg';
import { type Connection, DatabaseUnavailable } from '../database/database.ts';
import { addLevel } from '../events/levels.ts';
import {
  type ClientLimits,
  type PostgresConnection,
  setUp,
  toClientConfig,
  toConnection,
} from './connection.ts';
import { isTransient, toUnavailable, UnsafeServer } from './errors.ts';
import type { PostgresAddress } from './url.ts';

/** `run` is for single statements, `use` for several on one connection. */
export interface Pool extends Connection {
  readonly use: <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
}

export interface PoolOptions extends ClientLimits {
  /** Connections. */
  readonly size: number;
  /** Called for errors that no caller sees, such as a broken idle connection. */
  readonly report: (error: Error) => void;
}

/** Milliseconds after which an unused connection is closed. */
const IDLE = 30_000;
/** Statements that wait for a connection; the next one is refused at once. */
const MAX_QUEUE = 100;

/** Connections that were opened between two losses of the server. */
interface Generation {
  readonly pool: pg.Pool;
  /** Statements that wait for a connection. Each function is called when the generation ends. */
  readonly waiting: Set<() => void>;
}

export function createPool(address: PostgresAddress, options: PoolOptions): Pool {
  const isAlone = address.hosts.length === 1;
  let current = open(0);
  /** The place of the writable host; null while it is not known. */
  let place = isAlone ? 0 : null;
  let search: Promise<void> | null = null;

  function open(at: number): Generation {
    const pool = new pg.Pool({
      ...toClientConfig(address, at, options),
      max: options.size,
      idleTimeoutMillis: IDLE,
      onConnect: (client) => setUp(client, options.access, address),
    });
    // Without a listener, a broken idle connection would end the process.
    pool.on('error', options.report);
    pool.on('connect', (client) => client.on('error', () => {}));
    return { pool, waiting: new Set() };
  }

  /** Opens a new generation. The connections of the broken one end when they are released. */
  function replace(broken: Generation, at: number | null): void {
    if (current !== broken) return;
    place = at;
    current = open(at ?? 0);
    broken.pool.end().catch(options.report);
    for (const leave of broken.waiting) leave();
  }

  const lose = (broken: Generation) => replace(broken, isAlone ? 0 : null);

  async function find(): Promise<void> {
    try {
      replace(current, await findWritable(address, options));
    } finally {
      search = null;
    }
  }

  async function acquire(): Promise<readonly [PoolClient, Generation]> {
    if (current.pool.waitingCount >= MAX_QUEUE)
      throw new DatabaseUnavailable('too many statements wait for a connection.');
    const end = performance.now() + options.timeout;
    while (performance.now() < end) {
      if (place === null) {
        search ??= find();
        await search;
      }
      const from = current;
      try {
        const client = await take(from, end);
        if (client !== null) return [client, from];
      } catch (error) {
        if (isQueueTimeout(error)) continue;
        const mayBeElsewhere = isTransient(error) && !(error instanceof UnsafeServer);
        if (isAlone || !mayBeElsewhere) throw toUnavailable(error);
        lose(from);
      }
    }
    throw new DatabaseUnavailable('no connection could be had in time.');
  }

  const removeLevels = [
    addLevel('database connections', () => current.pool.totalCount),
    addLevel('database connections in use', () => current.pool.totalCount - current.pool.idleCount),
    addLevel('database connections awaited', () => current.pool.waitingCount),
  ];

  const use: Pool['use'] = async (work) => {
    const [client, from] = await acquire();
    try {
      return await work(toConnection(client, address, options, () => lose(from)));
    } finally {
      client.release();
    }
  };
  return {
    use,
    run: (sql, values) =>
      use(({ run, begin }) => {
        const work = () => run<never>(sql, values);
        return address.isPooled ? runAlone({ run, begin }, work) : work();
      }),
    end() {
      for (const remove of removeLevels) remove();
      return current.pool.end();
    },
  };
}

/** A transaction of one statement, behind a pooler: the limits of its beginning hold for it alone. */
async function runAlone<T>({ run, begin }: PostgresConnection, work: () => Promise<T>): Promise<T> {
  await begin('read committed');
  try {
    const result = await work();
    await run('commit');
    return result;
  } catch (error) {
    await run('rollback').catch(() => {});
    throw error;
  }
}

/**
 * The place of the first host of the address that can be written to. The order of the address decides, not the time: if
 * a former primary comes back writable, all pools must agree. Rejects with the most telling error of all hosts.
 */
async function findWritable(address: PostgresAddress, options: PoolOptions): Promise<number> {
  const attempts = address.hosts.map(async (_, place) => {
    const config = toClientConfig(address, place, options);
    const client = new pg.Client({ ...config, query_timeout: config.connectionTimeoutMillis });
    client.on('error', () => {});
    try {
      await client.connect();
      await setUp(client, options.access, address);
      return null;
    } catch (error) {
      return error;
    } finally {
      // One that hangs does not answer to this either.
      client.end().catch(() => {});
    }
  });
  const errors: unknown[] = [];
  for (const [place, attempt] of attempts.entries()) {
    const error = await attempt;
    if (error === null) return place;
    errors.push(error);
  }
  const lasting = errors.find((one) => !isTransient(one) || one instanceof UnsafeServer);
  throw toUnavailable(lasting ?? errors.at(-1));
}

/** Null if the generation or the time ends first. A connection that arrives later is released. */
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
