/**
 * What `createAccounts` of the framework needs: its columns of accounts, and its tables beside accounts and sessions,
 * as `accountStatements` makes them (account-tables.test.ts compares).
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await extendAccounts(database);
  await createFrameworkTables(database);
}

async function extendAccounts(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  const sqlite = isSqlite(database);
  const handle = sqlite ? sql`''` : sql`gen_random_uuid()::text`;
  await runAll(database, [
    sql`alter table accounts add column email ${text}`,
    sql`alter table accounts add column email_key ${text}`,
    sql`alter table accounts add column version bigint not null default 1`,
    sql`alter table accounts add column handle ${text} not null default ${handle}`,
    sql`alter table accounts add column totp ${text}`,
    sql`alter table accounts add column totp_step bigint not null default 0`,
    sql`alter table accounts add column second_factor integer not null default 0`,
    sql`create unique index accounts_by_email_key on accounts (email_key)`,
  ]);
  // SQLite adds no column whose default is random.
  const give = sql`update accounts set handle = lower(hex(randomblob(16)))`;
  if (sqlite)
    await runAll(database, [
      give,
      sql`create trigger give_handle after insert on accounts when new.handle = ''
        begin ${give} where id = new.id; end`,
    ]);
  await sql`create unique index accounts_by_handle on accounts (handle)`.execute(database);
}

async function createFrameworkTables(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  const account = sql`bigint references accounts (id) on delete cascade`;
  const itsAccount = sql`bigint not null references accounts (id) on delete cascade`;
  const id = isSqlite(database)
    ? sql`integer primary key autoincrement`
    : sql`bigint generated always as identity primary key`;
  const providerSession = isSqlite(database)
    ? sql`(data ->> 'sessionId')`
    : sql`(data::json ->> 'sessionId')`;
  await runAll(database, [
    sql`create table seeother_account_tokens (
      key ${text} primary key,
      kind ${text} not null,
      account_id ${account},
      made_by ${account},
      data ${text} not null,
      created_at ${text} not null,
      ends_at ${text} not null)`,
    sql`create index seeother_account_tokens_by_account on seeother_account_tokens (account_id, kind)`,
    sql`create index seeother_account_tokens_by_maker on seeother_account_tokens (made_by)`,
    sql`create index seeother_account_tokens_by_end on seeother_account_tokens (ends_at)`,
    sql`create index seeother_account_tokens_by_provider_session
      on seeother_account_tokens (${providerSession}) where kind = 'provider session'`,
    sql`create table seeother_account_events (
      id ${id},
      at ${text} not null,
      account_id bigint,
      kind ${text} not null,
      detail ${text} not null,
      address ${text} not null,
      agent ${text} not null,
      untold integer not null)`,
    sql`create index seeother_account_events_by_account on seeother_account_events (account_id, id)`,
    sql`create index seeother_account_events_by_time on seeother_account_events (at)`,
    sql`create table seeother_passkeys (
      id ${text} primary key,
      account_id ${itsAccount},
      name ${text} not null,
      public_key ${text} not null,
      counter bigint not null,
      transports ${text} not null,
      backed_up integer not null,
      created_at ${text} not null,
      used_at ${text})`,
    sql`create index seeother_passkeys_by_account on seeother_passkeys (account_id)`,
    sql`create table seeother_identities (
      provider ${text} not null,
      subject ${text} not null,
      account_id ${itsAccount},
      created_at ${text} not null,
      primary key (provider, subject))`,
    sql`create index seeother_identities_by_account on seeother_identities (account_id)`,
  ]);
}
