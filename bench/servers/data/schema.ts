/**
 * The tables of the contenders: those that the application uses in the measured requests, with its
 * indexes. The application itself uses its own database and migrations.
 */
export const SCHEMA = `
  create table accounts (
    id integer primary key,
    username text not null unique
  );
  create table sessions (
    key text primary key,
    account_id integer not null references accounts (id) on delete cascade,
    started_at text not null,
    seen_at text not null,
    ends_at text not null
  );
  create index sessions_by_account on sessions (account_id);
  create table items (
    number integer primary key,
    name text not null,
    description text not null,
    quantity integer not null,
    location text not null,
    created_at text not null,
    created_by integer references accounts (id),
    updated_at text not null,
    updated_by integer references accounts (id),
    version integer not null
  );
  create table item_tags (
    item_number integer not null references items (number) on delete cascade,
    position integer not null,
    tag text not null,
    primary key (item_number, position)
  );
  create index item_tags_by_tag on item_tags (tag, item_number);
  create table counters (name text primary key, value integer not null);
`;
