/**
 * Connections to the first server of the address that can be written to, as Kysely wants them: a
 * bounded pool with a bounded queue, where everything has a time limit.
 *
 * The hard case: a server that went away or was put in second place while connections to it are
 * open. The first statement that notices it fails; its connection is cut, and the pool with all
 * others of that age is replaced, so that the next statement looks for the server anew.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg, { type ClientConfig, type PoolClient } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { ASK_POSTGRES, ONLY_READ_POSTGRES } from './engine.ts';
import { fromPostgres, isLost, isPassing } from './postgres-errors.ts';
import type { PostgresAddress } from './postgres-url.ts';

export interface PoolOptions {
  readonly access: 'read' | 'write';
  /** Connections. */
  readonly size: number;
  /** Is told what nobody waits for, such as an idle connection that broke. */
  readonly report: (error: Error) => void;
}

/** Milliseconds, all of them below the three seconds within which a request is answered. */
const LIMITS = {
  connect: 1_800,
  connectOne: 1_000,
  lock: 1_500,
  statement: 2_000,
  answer: 2_300,
  idle: 30_000,
};
/** Statements that wait for a connection; the next one is refused at once. */
const LONGEST_QUEUE = 100;

/** A server that must not be used, whatever else it can do. */
export class UnsafeServer extends Error {}

export function createPostgresPool(address: PostgresAddress, options: PoolOptions): PostgresPool {
  const { hosts } = address;
  let preferred = 0;
  let pool = open();

  function open(): pg.Pool {
    const opened = new pg.Pool({
      ...toClientConfig(address, preferred),
      max: options.size,
      idleTimeoutMillis: LIMITS.idle,
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

function toClientConfig(address: PostgresAddress, preferred: number): pg.PoolConfig {
  const { hosts, user, password, database, ssl } = address;
  const config: ClientConfig = {
    ...hosts[preferred % hosts.length],
    ssl,
    application_name: 'seeother',
    keepAlive: true,
    // Of two hosts, one that stands still leaves time to try the other.
    connectionTimeoutMillis: hosts.length === 1 ? LIMITS.connect : LIMITS.connectOne,
    lock_timeout: LIMITS.lock,
    statement_timeout: LIMITS.statement,
    idle_in_transaction_session_timeout: LIMITS.answer * 2,
    query_timeout: LIMITS.answer,
    types: { getTypeParser },
  };
  return {
    ...config,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
  };
}

/** Asks a new connection whether its server will do. */
async function setUp(client: pg.ClientBase, access: PoolOptions['access']): Promise<void> {
  const { rows } = await client.query(ASK_POSTGRES);
  const { readOnly, synchronousCommit } = rows[0] as {
    readonly readOnly: boolean;
    readonly synchronousCommit: string;
  };
  if (readOnly) throw new DatabaseUnavailable('the server can only be read: it is a standby.');
  if (synchronousCommit === 'off') {
    throw new UnsafeServer(
      'synchronous_commit is off there, so what was saved could be lost. Set it to on for this database.',
    );
  }
  if (access === 'read') await client.query(ONLY_READ_POSTGRES);
}

const ROLLED_BACK = { command: 'ROLLBACK', rowCount: null, rows: [] };

const connections = new WeakMap<PoolClient, PostgresPoolClient>();

/** The same one for the same client: Kysely keeps state by it. */
function toConnection(client: PoolClient, onLost: () => void): PostgresPoolClient {
  const known = connections.get(client);
  if (known !== undefined) return known;
  const query = async (...statement: unknown[]) => {
    try {
      return await (client.query as (...all: unknown[]) => Promise<unknown>)(...statement);
    } catch (error) {
      if (isLost(error)) {
        onLost();
        // Its answer may still come, and would be taken for that of the next statement.
        cut(client);
        // A connection that is gone has rolled back; what broke it is the error to tell.
        if (statement[0] === 'rollback') return ROLLED_BACK;
      }
      throw fromPostgres(error);
    }
  };
  const connection = {
    query: query as PostgresPoolClient['query'],
    release: (discard?: boolean) => client.release(discard),
  };
  connections.set(client, connection);
  return connection;
}

/** Ends the connection at once: the server may not answer to a farewell. */
function cut(client: PoolClient): void {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { readonly destroy: () => void } };
  };
  connection.stream.destroy();
}

/** Counts are int8, which the driver gives as text; ours stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}
