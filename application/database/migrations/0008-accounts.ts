/**
 * What `createAccounts` of the framework needs: its columns of accounts, and its tables beside accounts and sessions,
 * as `accountStatements` makes them (account-tables.test.ts compares). Open links and notices move there, and their old
 * tables go.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await extendAccounts(database);
  await createFrameworkTables(database);
  await moveLinks(database);
  await moveNotices(database);
  await runAll(database, [
    sql`drop table invitations`,
    sql`drop table account_notices`,
    sql`alter table accounts drop column reset_key`,
    sql`alter table accounts drop column reset_ends_at`,
    sql`alter table accounts drop column reset_by`,
  ]);
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

/**
 * Under the same keys, the SHA-256 of the token, so that the links still work. Those that have expired move too: the
 * clock may be wrong now. The time when a link for a new password was made is unknown.
 */
async function moveLinks(database: Kysely<unknown>): Promise<void> {
  const toJson = isSqlite(database) ? sql`json_object` : sql`json_build_object`;
  const now = new Date().toISOString();
  await runAll(database, [
    sql`insert into seeother_account_tokens (key, kind, account_id, made_by, data, created_at, ends_at)
      select key, 'invitation', null, created_by, cast(${toJson}(
          'email', null, 'role', invitations.role, 'to', name, 'by', coalesce(maker.username, 'terminal')
        ) as text), invitations.created_at, ends_at
      from invitations left join accounts as maker on maker.id = created_by`,
    sql`insert into seeother_account_tokens (key, kind, account_id, made_by, data, created_at, ends_at)
      select accounts.reset_key, 'new password', accounts.id, maker.id, '{}', ${sql.lit(now)}, accounts.reset_ends_at
      from accounts left join accounts as maker on maker.id = accounts.reset_by
      where accounts.reset_key is not null and accounts.disabled_at is null`,
  ]);
}

/** What the next log-in tells, in the order in which it happened. */
async function moveNotices(database: Kysely<unknown>): Promise<void> {
  await sql`insert into seeother_account_events (at, account_id, kind, detail, address, agent, untold)
    select at, account_id,
      case when kind = 'role' then 'role changed' when detail = 'changed' then 'password changed'
        else 'password reset' end,
      case when kind = 'role' then detail else '' end, '', '', 1
    from account_notices order by at, account_id, kind`.execute(database);
}
