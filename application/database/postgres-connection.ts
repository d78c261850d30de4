/**
 * One connection to PostgreSQL, as Kysely wants it: how it is set up, what its server is asked before
 * it is used, and how its errors are read.
 *
 * The hard case: a statement that is given up while its answer is still under way. The connection is
 * cut, or the next statement would take that answer for its own.
 */
import type { PostgresPoolClient } from 'kysely';
import pg, { type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { ASK_POSTGRES, ONLY_READ_POSTGRES } from './engine.ts';
import { fromPostgres, isLost } from './postgres-errors.ts';
import type { PostgresAddress } from './postgres-url.ts';

/** Parts of the timeout. A lock gives up before its statement, which gives up before its client. */
const SHARES = { connect: 0.9, connectOne: 0.5, lock: 0.75, statement: 1, answer: 1.15 };

/** A migration may take its time; nothing else may. */
export type Access = 'read' | 'write' | 'migrate';

/** A server that must not be used, whatever else it can do. `why` says what would do. */
export class UnsafeServer extends DatabaseUnavailable {
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

export interface ClientLimits {
  readonly access: Access;
  /** Milliseconds for a statement; the other limits are shares of it. */
  readonly timeout: number;
}

/** For the host of that place in the address; places beyond the last begin again. */
export function toClientConfig(
  address: PostgresAddress,
  place: number,
  { access, timeout }: ClientLimits,
): ClientConfig {
  const { hosts, user, password, database, ssl } = address;
  const limit = (share: keyof typeof SHARES) => Math.ceil(timeout * SHARES[share]);
  const config: ClientConfig = {
    ...hosts[place % hosts.length],
    ssl,
    application_name: 'seeother',
    keepAlive: true,
    // Of two hosts, one that stands still leaves time to try the other.
    connectionTimeoutMillis: limit(hosts.length === 1 ? 'connect' : 'connectOne'),
    lock_timeout: limit('lock'),
    idle_in_transaction_session_timeout: limit('answer') * 2,
    ...(access === 'migrate'
      ? {}
      : { statement_timeout: limit('statement'), query_timeout: limit('answer') }),
    types: { getTypeParser },
  };
  return {
    ...config,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
  };
}

/** Asks a new connection whether its server will do; rejects with a DatabaseUnavailable when not. */
export async function setUp(client: ClientBase, access: Access): Promise<void> {
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
export function toConnection(client: PoolClient, onLost: () => void): PostgresPoolClient {
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
