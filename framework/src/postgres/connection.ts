/**
 * One connection to PostgreSQL: its time limits, the checks before its first use, and its errors. After a timeout
 * the server may still send the result, which the next statement would take for its own. So the connection is
 * destroyed.
 */
import pg, { type ClientBase, type ClientConfig, type PoolClient, type QueryConfig } from 'pg';
import {
  type Connection,
  DatabaseUnavailable,
  refuseWrite,
  type Value,
} from '../database/database.ts';
import { requireValues } from '../database/statement-errors.ts';
import { createPublisher } from '../events/events.ts';
import {
  codeOf,
  explainStatement,
  fromPostgres,
  isLost,
  POOLED,
  TooLarge,
  UnsafeServer,
} from './errors.ts';
import { numberPlaces } from './places.ts';
import type { PostgresAddress } from './url.ts';

/** Fractions of the timeout. A lock times out before its statement, and the statement before the client. */
const SHARES = { connect: 0.9, connectOne: 0.5, lock: 0.75, statement: 1, answer: 1.15 };
/** Milliseconds that a migration waits for a table. */
const MIGRATION_LOCK = 60_000;

/** Only `migrate` has no time limit for statements. */
export type Access = 'read' | 'write' | 'migrate';

export interface ClientLimits {
  readonly access: Access;
  /** Milliseconds for a statement, and for the wait for a connection; the other limits are shares of it. */
  readonly timeout: number;
}

type Share = keyof typeof SHARES;

/** `place` is the index of the host in the address, modulo their number. */
export function toClientConfig(
  { hosts, user, password, database, ssl, isPooled }: PostgresAddress,
  place: number,
  limits: ClientLimits,
): ClientConfig {
  const limit = (share: Share) => Math.ceil(limits.timeout * SHARES[share]);
  return {
    ...hosts[place % hosts.length],
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl,
    application_name: 'seeother',
    keepAlive: true,
    // With several hosts, one that does not answer leaves time to try the next.
    connectionTimeoutMillis: limit(hosts.length === 1 ? 'connect' : 'connectOne'),
    ...(limits.access === 'migrate' ? {} : { query_timeout: limit('answer') }),
    ...(isPooled ? {} : toServerLimits(limits)),
    types: { getTypeParser },
  };
}

/** In milliseconds, by the names of the server's settings. */
function toServerLimits({ access, timeout }: ClientLimits) {
  const limit = (share: Share) => Math.ceil(timeout * SHARES[share]);
  const isMigration = access === 'migrate';
  return {
    lock_timeout: isMigration ? MIGRATION_LOCK : limit('lock'),
    statement_timeout: isMigration ? 0 : limit('statement'),
    idle_in_transaction_session_timeout: limit('answer') * 2,
  };
}

/**
 * Starts a transaction. What is set for a session does not hold behind a pooler, where the next transaction has another
 * connection; so each sets its own limits there.
 */
function toBegin({ isPooled }: PostgresAddress, limits: ClientLimits, level: string): string {
  const begin = `start transaction isolation level ${level}`;
  if (!isPooled) return begin;
  // Not "read write" for the others: a server that has become read-only shall refuse them.
  const mode = limits.access === 'read' ? ' read only' : '';
  const further = { synchronous_commit: 'on', datestyle: 'ISO' };
  const settings = Object.entries({ ...toServerLimits(limits), ...further });
  return [begin + mode, ...settings.map(([name, value]) => `set local ${name} = ${value}`)].join(
    '; ',
  );
}

/**
 * The checks of a new connection. It also sets the form of dates, and keeps the present value of synchronous_commit: a
 * later change of the server's setting affects only new connections, which check it again. Behind a pooler that would
 * reach others.
 */
const toAsk = (isPooled: boolean) => `select
  pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "readOnly",
  set_config('synchronous_commit', current_setting('synchronous_commit'), ${isPooled}) as "synchronousCommit",
  set_config('datestyle', 'ISO', ${isPooled}) as "dateStyle",
  current_setting('idle_in_transaction_session_timeout') <> '0' as "isLimited"`;

/** Rejects with a `DatabaseUnavailable` if the server cannot be written to or may lose commits. */
export async function setUp(
  client: ClientBase,
  access: Access,
  { isPooled }: PostgresAddress,
): Promise<void> {
  const { rows } = await client.query(toAsk(isPooled));
  const { readOnly, synchronousCommit, isLimited } = rows[0] as {
    readonly readOnly: boolean;
    readonly synchronousCommit: string;
    readonly isLimited: boolean;
  };
  if (readOnly) throw new DatabaseUnavailable('the server can only be read: it is a standby.');
  if (synchronousCommit === 'off') {
    throw new UnsafeServer(
      'synchronous_commit is off there, so what was saved could be lost. Set it to on for this database.',
    );
  }
  if (isPooled) return;
  if (!isLimited) throw new UnsafeServer(POOLED);
  if (access === 'read') await client.query('set default_transaction_read_only = on');
}

/** A write in a read-only transaction: on connections for writes, the server is now a standby. */
const READ_ONLY = '25006';

/** A connection, and how its transactions begin. */
export interface PostgresConnection extends Connection {
  readonly begin: (level: string) => Promise<void>;
}

/** Without values, the driver takes the simple protocol, which runs several statements and does not count places. */
const MAY_BE_REFUSED = /[;?$]/;

const ran = createPublisher('statement');

/**
 * Sends the SQL text each time: a server-side prepared statement belongs to one connection, and a pooler may give
 * each transaction another one. `onLost` is called when the server cannot be used any more.
 */
export function toConnection(
  client: PoolClient,
  address: PostgresAddress,
  limits: ClientLimits,
  onLost: () => void,
): PostgresConnection {
  const send = async (sql: string, values: readonly Value[], queryMode?: 'extended') => {
    try {
      // The types of the driver lack the mode.
      const query = { text: numberPlaces(sql), values, queryMode } as unknown as QueryConfig;
      const result = await client.query(query);
      if (ran.isHeard) ran.publish({ sql, rows: result.rows?.length ?? 0 });
      return result;
    } catch (error) {
      if (limits.access === 'read' && codeOf(error) === READ_ONLY) throw refuseWrite(sql, error);
      const flaw = explainStatement(error, sql);
      if (flaw !== null) throw flaw;
      if (isLost(error)) {
        onLost();
        cut(client);
      }
      throw fromPostgres(error);
    }
  };
  return {
    async run<Row>(sql: string, values: readonly Value[] = []) {
      requireValues(sql, values);
      const mode = MAY_BE_REFUSED.test(sql) ? 'extended' : undefined;
      const { rows, rowCount } = await send(sql, values, mode);
      return { rows: rows as readonly Row[], changes: rowCount ?? 0 };
    },
    async begin(level) {
      await send(toBegin(address, limits, level), []);
    },
  };
}

/** Closes the socket without the closing message of the protocol, which a hanging server would not answer. */
function cut(client: PoolClient): void {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { readonly destroy: () => void } };
  };
  connection.stream.destroy();
}

const { builtins } = pg.types;
/** What the driver makes a `Date` of by the time zone of this process, which moves it. */
const DATES = new Set<number>([builtins.DATE, builtins.TIMESTAMP]);
/** Lists of these. */
const DATE_LISTS = new Set([1182, 1115]);
const TEXT_LIST = 1009;

/** Dates and times without a zone are text, as on SQLite. The driver returns int8, the type of counts, as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === builtins.INT8) return toNumber;
  if (DATES.has(oid)) return String;
  return pg.types.getTypeParser(DATE_LISTS.has(oid) ? TEXT_LIST : oid, format as 'text');
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new TooLarge(text);
  return number;
}
