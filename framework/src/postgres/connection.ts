/**
 * One connection to PostgreSQL: its limits, what its server is asked before it is used, and how its
 * errors are read. A statement that was given up may still be answered: its connection is cut, or the
 * next statement would take that answer for its own.
 */
import pg, { type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { type Connection, DatabaseUnavailable } from '../database/database.ts';
import { fromPostgres, isLost, UnsafeServer } from './errors.ts';
import type { PostgresAddress } from './url.ts';

/** Parts of the timeout. A lock gives up before its statement, which gives up before its client. */
const SHARES = { connect: 0.9, connectOne: 0.5, lock: 0.75, statement: 1, answer: 1.15 };

/** A migration may take its time; nothing else may. */
export type Access = 'read' | 'write' | 'migrate';

export interface ClientLimits {
  readonly access: Access;
  /** Milliseconds for a statement, and for the wait for a connection; the other limits are shares of it. */
  readonly timeout: number;
}

/** For the host of that place in the address; places beyond the last begin again. */
export function toClientConfig(
  { hosts, user, password, database, ssl }: PostgresAddress,
  place: number,
  { access, timeout }: ClientLimits,
): ClientConfig {
  const limit = (share: keyof typeof SHARES) => Math.ceil(timeout * SHARES[share]);
  return {
    ...hosts[place % hosts.length],
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl,
    application_name: 'seeother',
    keepAlive: true,
    // Of two hosts, one that does not answer leaves time to try the other.
    connectionTimeoutMillis: limit(hosts.length === 1 ? 'connect' : 'connectOne'),
    lock_timeout: limit('lock'),
    idle_in_transaction_session_timeout: limit('answer') * 2,
    ...(access === 'migrate'
      ? {}
      : { statement_timeout: limit('statement'), query_timeout: limit('answer') }),
    types: { getTypeParser },
  };
}

/**
 * What a new connection asks its server. The answer about synchronous_commit is set for the connection
 * too: a server that is told otherwise later changes it for new connections alone, which ask.
 */
const ASK = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean
  as "readOnly", set_config('synchronous_commit', current_setting('synchronous_commit'), false)
  as "synchronousCommit"`;

/** Asks a new connection whether its server will do; rejects with a DatabaseUnavailable when not. */
export async function setUp(client: ClientBase, access: Access): Promise<void> {
  const { rows } = await client.query(ASK);
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
  if (access === 'read') await client.query('set default_transaction_read_only = on');
}

/**
 * The text of a statement is sent each time: one that the server keeps belongs to one connection, and a
 * pooler may give each transaction another one. `onLost` is called when the server cannot be used.
 */
export function toConnection(client: PoolClient, onLost: () => void): Connection {
  return {
    async run<Row>(sql: string, values: readonly unknown[] = []) {
      try {
        const { rows, rowCount } = await client.query(sql, values as unknown[]);
        return { rows: rows as readonly Row[], changes: rowCount ?? 0 };
      } catch (error) {
        if (isLost(error)) {
          onLost();
          cut(client);
        }
        throw fromPostgres(error);
      }
    },
  };
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
