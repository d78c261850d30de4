/**
 * The tables of accounts, in SQL for both engines. All are created together, when one is first used. Times are text in
 * ISO 8601. No table has a password, a code or the token of a link: only hashes, and secrets of one-time codes that are
 * sealed if the site has a key.
 */
import type { Database } from '../database/database.ts';

/** The SQL names of the tables. */
export const TABLES = {
  accounts: 'seeother_accounts',
  sessions: 'seeother_account_sessions',
  tokens: 'seeother_account_tokens',
  events: 'seeother_account_events',
  passkeys: 'seeother_passkeys',
  identities: 'seeother_identities',
} as const;

/** The tables of accounts and sessions that a site may have of its own. */
export interface OwnTables {
  readonly accounts: string;
  readonly sessions: string;
}

/**
 * The statements that create the tables, for a migration of one's own. Tables of the site are left out, and referred
 * to. An empty `password_hash` stands for no password.
 */
export function accountStatements(
  engine: Database['engine'],
  tables: OwnTables | null = null,
): readonly string[] {
  // An id is never used again, because what has gone may still be named elsewhere.
  const id =
    engine === 'postgres'
      ? 'bigint generated always as identity primary key'
      : 'integer primary key autoincrement';
  const { tokens, events, passkeys, identities } = TABLES;
  const { accounts, sessions } = tables ?? TABLES;
  const account = `references ${accounts} (id) on delete cascade`;
  const users = [
    `create table if not exists ${accounts} (id ${id}, username text not null,
      username_key text not null unique, email text, email_key text unique, password_hash text not null,
      password_expires_at text, role text not null, version bigint not null default 1,
      created_at text not null, disabled_at text, handle text not null unique, totp text,
      totp_step bigint not null default 0, second_factor integer not null default 0)`,
    `create table if not exists ${sessions} (key text primary key, account_id bigint not null ${account},
      started_at text not null, seen_at text not null, ends_at text not null,
      remembered integer not null, agent text not null, address text not null,
      flashes text not null, draft text not null, superseded integer not null)`,
    `create index if not exists ${sessions}_by_account on ${sessions} (account_id)`,
    `create index if not exists ${sessions}_by_end on ${sessions} (ends_at)`,
  ];
  return [
    ...(tables === null ? users : []),
    `create table if not exists ${tokens} (key text primary key, kind text not null,
      account_id bigint ${account}, made_by bigint ${account}, data text not null,
      created_at text not null, ends_at text not null)`,
    `create index if not exists ${tokens}_by_account on ${tokens} (account_id, kind)`,
    `create index if not exists ${tokens}_by_maker on ${tokens} (made_by)`,
    `create index if not exists ${tokens}_by_end on ${tokens} (ends_at)`,
    // The events of an account that was deleted stay, without its name.
    `create table if not exists ${events} (id ${id}, at text not null, account_id bigint,
      kind text not null, detail text not null, address text not null, agent text not null,
      untold integer not null)`,
    `create index if not exists ${events}_by_account on ${events} (account_id, id)`,
    `create index if not exists ${events}_by_time on ${events} (at)`,
    `create table if not exists ${passkeys} (id text primary key, account_id bigint not null ${account},
      name text not null, public_key text not null, counter bigint not null,
      transports text not null, backed_up integer not null, created_at text not null,
      used_at text)`,
    `create index if not exists ${passkeys}_by_account on ${passkeys} (account_id)`,
    `create table if not exists ${identities} (provider text not null, subject text not null,
      account_id bigint not null ${account}, created_at text not null,
      primary key (provider, subject))`,
    `create index if not exists ${identities}_by_account on ${identities} (account_id)`,
  ];
}
