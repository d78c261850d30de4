/**
 * Queries the properties of a PostgreSQL server over one read-only connection. Rejects if there is no
 * server, or if it refuses the connection.
 */
import pg from 'pg';
import type { PostgresAddress } from 'seeother/postgres';
import {
  type KnownFile,
  LIST_FILES,
  toKnownFile,
} from '../../application/maintenance/known-files.ts';
import { toClientConfig } from '../../framework/src/postgres/connection.ts';
import { type describeSchedules, SELECT_SCHEDULES } from './describe-tables.ts';

export interface ServerAnswers {
  /** Such as `18.4`. */
  readonly version: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly synchronousCommit: string;
  readonly fsync: string;
  readonly encoding: string;
  /** Milliseconds that its clock is ahead of the local clock. */
  readonly clockAhead: number;
  /** Maximum connections for ordinary users. */
  readonly connections: number;
  /** Such as `TLSv1.3`; null if the connection is not encrypted. */
  readonly tls: string | null;
  readonly mayMakeTables: boolean;
  readonly migrations: readonly string[];
  /** Null if the table does not exist yet. */
  readonly accounts: number | null;
  readonly knownFiles: readonly KnownFile[] | null;
  readonly schedules: Parameters<typeof describeSchedules>[0];
}

const ASK = `select
  current_setting('server_version') as "version",
  pg_is_in_recovery() as "isStandby",
  current_setting('default_transaction_read_only')::boolean as "isReadOnly",
  current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('fsync') as "fsync",
  current_setting('server_encoding') as "encoding",
  current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true), '0')::integer as "connections",
  (select version from pg_stat_ssl where pid = pg_backend_pid() and ssl) as "tls",
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMakeTables",
  to_regclass('kysely_migration') is not null as "hasMigrations",
  to_regclass('accounts') is not null as "hasAccounts",
  to_regclass('seeother_files') is not null as "hasFiles",
  to_regclass('seeother_outbox') is not null as "hasOutbox"`;
const ASK_TIME = 'select extract(epoch from clock_timestamp())::float8 * 1000 as "time"';
/** Milliseconds per query. */
const TIMEOUT = 2_000;
const ONLY_READ = 'set session characteristics as transaction read only';

/** The server at this position in the address. */
export async function askPostgres(address: PostgresAddress, place: number): Promise<ServerAnswers> {
  const client = new pg.Client(
    toClientConfig(address, place, { access: 'write', timeout: TIMEOUT }),
  );
  client.on('error', () => {});
  try {
    await client.connect();
    const ask = async (statement: string) => (await client.query(statement)).rows;
    const [answers] = await ask(ASK);
    const { hasMigrations, hasAccounts, hasFiles, hasOutbox, ...rest } = answers;
    await ask(ONLY_READ);
    const migrations = hasMigrations ? await ask('select name from kysely_migration') : [];
    const [accounts] = hasAccounts ? await ask('select count(*) as count from accounts') : [];
    const files = hasFiles ? await ask("select 1 from seeother_files where id = 'beginning'") : [];
    const known = files.length > 0 ? await ask(LIST_FILES) : null;
    const schedules = hasOutbox ? await ask(SELECT_SCHEDULES) : [];
    const before = Date.now();
    const [{ time }] = await ask(ASK_TIME);
    return {
      ...rest,
      clockAhead: time - (before + Date.now()) / 2,
      migrations: migrations.map(({ name }) => String(name)),
      accounts: accounts?.count ?? null,
      knownFiles: known?.map(toKnownFile) ?? null,
      schedules,
    };
  } finally {
    await client.end();
  }
}
