/**
 * Creates the tables of 0.2.0, the first release. The schema says what their columns are for (database/schema.ts);
 * this says what the engines check, sort, count and search.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite, runAll } from './migration-sql.ts';

// Migrations do not use the type Schema: it changes later, and they must not.
export async function up(database: Kysely<unknown>): Promise<void> {
  await createAccounts(database);
  await createRecords(database);
  await createItems(database);
  await createHistory(database);
  await createImports(database);
  await createSearch(database);
  await reviseOnChange(database);
  await forgetDeletedItems(database);
  await createFacets(database);
}

async function createAccounts(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  const itsAccount = sql`${integer} not null references accounts (id) on delete cascade`;
  await runAll(database, [
    sql`create table accounts (
      id ${integer} primary key,
      username ${text} not null,
      username_key ${text} not null unique,
      password_hash ${text} not null,
      created_at ${text} not null,
      disabled_at ${text},
      password_expires_at ${text},
      role ${text} not null default 'member',
      reset_key ${text},
      reset_ends_at ${text},
      reset_by ${integer},
      display_name ${text},
      list_view ${text} not null default '')`,
    sql`create table account_notices (
      account_id ${integer} not null references accounts (id),
      kind ${text} not null,
      at ${text} not null,
      detail ${text} not null,
      constraint account_notices_key primary key (account_id, kind))`,
    sql`create table sessions (
      key ${text} primary key,
      account_id ${itsAccount},
      started_at ${text} not null,
      seen_at ${text} not null,
      remembered ${integer} not null,
      agent ${text} not null default '',
      address ${text} not null default '',
      flashes ${text} not null default '',
      draft ${text} not null default '',
      ends_at ${text} not null,
      superseded ${integer} not null default 0)`,
    sql`create index sessions_by_account on sessions (account_id)`,
    sql`create index sessions_by_end on sessions (ends_at)`,
    sql`create table devices (
      key ${text} primary key,
      account_id ${itsAccount},
      seen_at ${text} not null)`,
    sql`create index devices_by_account on devices (account_id, seen_at)`,
    sql`create table invitations (
      key ${text} primary key,
      created_at ${text} not null,
      created_by ${integer} references accounts (id) on delete cascade,
      ends_at ${text} not null,
      role ${text} not null default 'member',
      name ${text} not null default '',
      token ${text})`,
    sql`create table failed_log_ins (
      subject ${text} not null,
      at ${text} not null,
      pending ${text} not null default '')`,
    sql`create index failed_log_ins_by_subject on failed_log_ins (subject, at)`,
    sql`create index failed_log_ins_by_time on failed_log_ins (at)`,
  ]);
}

async function createRecords(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table counters (name ${text} primary key, value ${integer} not null)`,
    sql`create table receipts (
      owner ${integer} not null,
      once ${text} not null,
      digest ${text} not null,
      path ${text} not null,
      created_at ${text} not null,
      constraint receipts_key primary key (owner, once, digest))`,
    sql`create index receipts_by_time on receipts (created_at)`,
  ]);
}

async function createItems(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  const plain = toPlain(sql.ref('name'));
  await runAll(database, [
    sql`create table items (
      number ${integer} primary key,
      name ${text} not null,
      description ${text} not null,
      quantity ${integer} not null,
      location ${text} not null,
      created_at ${text} not null,
      created_by ${integer} references accounts (id),
      updated_at ${text} not null,
      updated_by ${integer} references accounts (id),
      version ${integer} not null,
      lent_to ${text} check (length(lent_to) between 1 and 120),
      lent_until ${text},
      lent_at ${text},
      minimum ${integer} check (minimum between 1 and 1000000),
      constraint items_number check (number >= 1),
      constraint items_name check (length(name) between 1 and 120),
      constraint items_description check (length(description) <= 10000),
      constraint items_quantity check (quantity between 0 and 1000000),
      constraint items_location check (length(location) <= 120))`,
    // In both engines, lower() changes only ASCII letters here: they compare text byte by byte.
    sql`create index items_by_name on items (lower(name), number)`,
    sql`create index items_by_quantity on items (quantity, number)`,
    sql`create index items_by_updated_at on items (updated_at, number)`,
    sql`create index items_by_location on items (location, number)`,
    // It has all items of a location that others are inside, such as “Office” for “Office, drawer 2”, by number: so a
    // page of them is read without the items before it. PostgreSQL reads the item for an expression of a column that
    // the index lacks.
    isSqlite(database)
      ? sql`create index items_by_outermost_location
          on items (substr(location, 1, instr(location || ',', ',') - 1), number)`
      : sql`create index items_by_outermost_location
          on items (split_part(location, ',', 1), number) include (location)`,
    // An item that is neither lent nor running low is in none of these.
    sql`create index items_by_lent on items (number) where lent_to is not null`,
    sql`create index items_by_lent_until on items (lent_until, number) where lent_until is not null`,
    sql`create index items_by_low on items (number) where quantity < minimum`,
    // Few names have other spaces than single ones, so few items are in the index.
    sql`create index items_by_plain_name on items (${plain}) where ${plain} <> lower(name)`,
    sql`create table item_tags (
      item_number ${integer} not null references items (number) on delete cascade,
      position ${integer} not null,
      tag ${text} not null,
      constraint item_tags_key primary key (item_number, position),
      constraint item_tags_position check (position between 0 and 19),
      constraint item_tags_tag check (length(tag) between 1 and 40))`,
    sql`create index item_tags_by_tag on item_tags (tag, item_number)`,
    sql`create table item_gaps (block ${integer} primary key, gone ${integer} not null)`,
  ]);
}

/** As in imports/same-text.ts. */
const REPLACED = [
  ['\u00ad', ''],
  ['\u200b', ''],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['  ', ' '],
  ['  ', ' '],
] as const;

function toPlain(column: RawBuilder<unknown>): RawBuilder<unknown> {
  const replaced = REPLACED.reduce(
    (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
    column,
  );
  return sql`lower(${replaced})`;
}

async function createHistory(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table item_events (
      id ${integer} primary key,
      item_number ${integer} not null,
      item_name ${text} not null,
      version ${integer} not null,
      at ${text} not null,
      account_id ${integer} references accounts (id),
      kind ${text} not null,
      reason ${text} not null,
      batch ${text},
      undoes ${integer},
      changes ${text} not null,
      snapshot ${text})`,
    sql`create index item_events_by_item on item_events (item_number, id)`,
    // A change is undone once: of two users who undo it at once, one is refused.
    sql`create unique index item_events_by_undone on item_events (undoes) where undoes is not null`,
    sql`create index item_events_by_batch on item_events (batch) where batch is not null`,
    sql`create index item_events_in_bin on item_events (id) where snapshot is not null`,
    sql`create index item_events_by_time on item_events (at, id) where batch is null`,
    sql`create index item_events_by_person on item_events (account_id, at, id) where batch is null`,
    // Additions are found by their time: there are as many as items, and each index makes a create dearer.
    sql`create index item_events_by_kind on item_events (kind, at, id)
      where batch is null and kind <> 'added'`,
    sql`create table batches (
      id ${integer} primary key,
      at ${text} not null,
      account_id ${integer} references accounts (id),
      kind ${text} not null,
      about ${text} not null,
      events ${integer} not null,
      undone ${integer} not null,
      last_event ${integer},
      undoes ${integer})`,
    sql`create index batches_by_time on batches (at)`,
    sql`create index batches_by_person on batches (account_id, at)`,
  ]);
}

async function createImports(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  const count = sql`${integer} not null default 0`;
  // A piece is deleted in the transaction that imports it, so each row is imported once.
  const parts = [
    ['import_pieces', 'work'],
    ['import_rows', 'rows'],
    ['import_refusals', 'rows'],
  ] as const;
  await runAll(database, [
    sql`create table imports (
      id ${integer} primary key,
      account_id ${integer} not null references accounts (id),
      file_name ${text} not null,
      file_hash ${text} not null,
      plan_hash ${text} not null,
      state ${text} not null,
      problem ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      preview ${text} not null,
      refusals ${text} not null,
      rows_to_create ${count},
      rows_to_change ${count},
      rows_unchanged ${count},
      rows_refused ${count},
      rows_done ${count},
      rows_created ${count},
      rows_changed ${count},
      rows_left ${count},
      batch ${integer},
      holder ${text},
      held_until ${text},
      plan ${count},
      plans ${count},
      rows_here ${count},
      rows_doubled ${count},
      columns ${text} not null default '',
      here ${text} not null default 'leave',
      rows_to_ask ${count},
      rows_left_out ${count},
      asked ${text} not null default 'leave')`,
    ...parts.map(
      ([table, column]) => sql`create table ${sql.ref(table)} (
        import_id ${integer} not null references imports (id) on delete cascade,
        position ${integer} not null,
        ${sql.ref(column)} ${text} not null,
        constraint ${sql.ref(`${table}_pk`)} primary key (import_id, position))`,
    ),
    sql`create table import_columns (headings ${text} primary key, uses ${text} not null)`,
    sql`create table imported_files (hash ${text} primary key, batch ${integer} not null)`,
    sql`create table item_sources (
      source ${text} not null,
      kind ${text} not null,
      item_number ${integer} not null,
      constraint item_sources_pk primary key (source, kind, item_number))`,
    sql`create index item_sources_by_item on item_sources (item_number)`,
  ]);
}

/**
 * The words of items, where `rowid` is the number of the item and spaces part the `words`, and the different words of
 * all. The trigrams are those of a word without its first letter: a search inside words is for the rest.
 */
async function createSearch(database: Kysely<unknown>): Promise<void> {
  const index = sql`content = '', contentless_delete = 1, detail = none`;
  await runAll(
    database,
    isSqlite(database)
      ? [
          sql`create virtual table item_words using fts5(words, tokenize = 'ascii',
            prefix = '1 2 3 4 5 6 7 8', ${index})`,
          // Keeps the words of deleted items until new words are merged with them. By default SQLite rewrites a part
          // of the index as soon as a tenth of it is deleted. While an import of 100,000 rows was undone, one such
          // statement stopped all requests for up to 4 s.
          sql`insert into item_words (item_words, rank) values ('deletemerge', 0)`,
          sql`create table item_vocabulary (id integer primary key, word text not null unique)`,
          sql`create virtual table item_trigrams using fts5(word,
            tokenize = 'trigram case_sensitive 1', ${index})`,
        ]
      : [
          sql`create table item_words (rowid bigint primary key, words tsvector not null)`,
          sql`create index on item_words using gin (words) with (fastupdate = off)`,
          sql`create table item_vocabulary
            (word text collate "C" primary key, trigrams text[] not null)`,
          sql`create index on item_vocabulary using gin (trigrams) with (fastupdate = off)`,
        ],
  );
}

/** Editions: a random revision of the data that pages show, for entity tags. */
async function reviseOnChange(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  const edition = isSqlite(database)
    ? sql`lower(hex(randomblob(16)))`
    : sql`gen_random_uuid()::text`;
  await runAll(database, [
    sql`create table editions (name ${text} primary key, edition ${text} not null)`,
    sql`insert into editions (name, edition) values ('items', ${edition})`,
  ]);
  const change = sql`update editions set edition = ${edition} where name = 'items'`;
  for (const table of ['items', 'item_tags'])
    await afterEveryChange(database, table, ['insert', 'update', 'delete'], change);
  // The pages of items show the usernames of who added and changed them.
  await afterEveryChange(database, 'accounts', ['update of username'], change);
}

/** Runs the statement, which holds no values, in every transaction that changes the table so. */
async function afterEveryChange(
  database: Kysely<unknown>,
  table: string,
  events: readonly string[],
  statement: RawBuilder<unknown>,
): Promise<void> {
  if (!isSqlite(database)) {
    const when = sql`after ${sql.raw(events.join(' or '))} on ${sql.table(table)} for each statement`;
    await createPostgresTrigger(database, `after_change_of_${table}`, when, sql`${statement};`);
    return;
  }
  for (const event of events) {
    const name = `after_${event.replaceAll(' ', '_')}_${table}`;
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)}
      on ${sql.table(table)} begin ${statement}; end`.execute(database);
  }
}

async function forgetDeletedItems(database: Kysely<unknown>): Promise<void> {
  const forget = sql`delete from item_words where rowid = old.number;
    insert into item_gaps (block, gone) values ((old.number - 1) / 1000, 1)
      on conflict (block) do update set gone = item_gaps.gone + 1`;
  if (isSqlite(database))
    await sql`create trigger forget_item after delete on items begin ${forget}; end`.execute(
      database,
    );
  else {
    const when = sql`after delete on items for each row`;
    await createPostgresTrigger(database, 'forget_item', when, sql`${forget};`);
  }
}

const FACETS = [
  { field: 'location', table: 'items', column: 'location' },
  { field: 'tag', table: 'item_tags', column: 'tag' },
] as const;

/** The locations and tags with the numbers of their items, for filters and suggestions. */
async function createFacets(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table item_facets (
      field ${text} not null,
      name ${text} not null,
      key ${text} not null,
      items ${integer} not null,
      constraint item_facets_key primary key (field, name))`,
    sql`create index item_facets_by_key on item_facets (field, key, name)`,
  ]);
  for (const { field, table, column } of FACETS)
    await (isSqlite(database) ? countOnSqlite : countOnPostgres)(database, field, table, column);
}

/** Counts the rows of the table that have each text in the column, under the name of the field. */
async function countOnSqlite(
  database: Kysely<unknown>,
  field: string,
  table: string,
  column: string,
): Promise<void> {
  const [added, gone] = [`new.${column}`, `old.${column}`];
  const count = `insert into item_facets (field, name, key, items)
    select '${field}', ${added}, upper(${added}), 1 where ${added} <> ''
    on conflict (field, name) do update set items = items + 1;`;
  const forget = `update item_facets set items = items - 1
    where field = '${field}' and name = ${gone};
    delete from item_facets where field = '${field}' and name = ${gone} and items <= 0;`;
  const events = {
    insert: { when: `${added} <> ''`, does: count },
    delete: { when: `${gone} <> ''`, does: forget },
    [`update of ${column}`]: { when: `${gone} <> ${added}`, does: count + forget },
  };
  for (const [event, { when, does }] of Object.entries(events)) {
    const name = `count_${field}_after_${event.replaceAll(' ', '_')}`;
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)}
      when ${sql.raw(when)} begin ${sql.raw(does)} end`.execute(database);
  }
}

/**
 * The triggers run after those of the table that write the edition, whose one row all writers wait for: so no
 * two of them wait for each other's counts.
 */
async function countOnPostgres(
  database: Kysely<unknown>,
  field: string,
  table: string,
  column: string,
): Promise<void> {
  const from = (rows: string, count: number) =>
    `select ${column} collate "C" as name, ${count} as count from ${rows}`;
  const forget = `delete from item_facets where field = '${field}' and items <= 0
    and name in (select ${column} from old_rows);`;
  const count = (rows: readonly string[]) => `insert into item_facets (field, name, key, items)
    select '${field}', name, upper(name), sum(count) from (${rows.join(' union all ')}) as counted
    where name <> '' group by name having sum(count) <> 0 order by name
    on conflict (field, name) do update set items = item_facets.items + excluded.items;`;
  const [added, gone] = [from('new_rows', 1), from('old_rows', -1)];
  const events = {
    insert: { rows: 'new table as new_rows', does: count([added]) },
    delete: { rows: 'old table as old_rows', does: count([gone]) + forget },
    update: {
      rows: 'old table as old_rows new table as new_rows',
      does: count([added, gone]) + forget,
    },
  };
  for (const [event, { rows, does }] of Object.entries(events)) {
    // Triggers run in the order of their names: these come after "after_change_of_".
    const when = sql`after ${sql.raw(event)} on ${sql.table(table)}
      referencing ${sql.raw(rows)} for each statement`;
    await createPostgresTrigger(database, `count_${field}_after_${event}`, when, sql.raw(does));
  }
}
