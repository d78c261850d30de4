/**
 * Kinds of things, fields that a team defines itself, and their values: a row for each value, so a new field is one
 * row however many items there are.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table item_kinds (
      id ${integer} primary key,
      name ${text} not null,
      icon ${text} not null default '',
      minimum ${integer},
      position ${integer} not null,
      removed ${integer} not null default 0,
      version ${integer} not null default 1,
      constraint item_kinds_name check (length(name) between 1 and 60),
      constraint item_kinds_minimum check (minimum between 1 and 1000000))`,
    sql`create table own_fields (
      id ${integer} primary key,
      kind ${text} not null,
      label ${text} not null,
      hint ${text} not null default '',
      required ${integer} not null default 0,
      unit ${text} not null default '',
      choices ${text} not null default '[]',
      item_kind ${integer} references item_kinds (id),
      position ${integer} not null,
      in_list ${integer} not null default 0,
      searched ${integer} not null default 0,
      removed ${integer} not null default 0,
      version ${integer} not null default 1,
      constraint own_fields_label check (length(label) between 1 and 60))`,
    sql`create table item_values (
      item_number ${integer} not null references items (number) on delete cascade,
      field_id ${integer} not null references own_fields (id),
      position ${integer} not null,
      value ${text} not null,
      key ${text} not null,
      number double precision,
      constraint item_values_key primary key (item_number, field_id, position),
      constraint item_values_value check (length(value) between 1 and 10000))`,
    sql`create index item_values_by_key on item_values (field_id, key, item_number)`,
    sql`create index item_values_by_number on item_values (field_id, number, item_number)
      where number is not null`,
    sql`alter table items add column kind ${integer} references item_kinds (id)`,
    sql`create index items_by_kind on items (kind, number) where kind is not null`,
    // Of the definitions, which are read again when it has changed. In the same row, so that one read brings both.
    sql`alter table revisions add column fields ${text} not null default ''`,
  ]);
  const random = isSqlite(database)
    ? sql`lower(hex(randomblob(16)))`
    : sql`gen_random_uuid()::text`;
  const items = sql`update revisions set revision = ${random} where name = 'items'`;
  const both = sql`update revisions set revision = ${random}, fields = ${random} where name = 'items'`;
  await afterEveryChange(database, 'item_values', items);
  await afterEveryChange(database, 'item_kinds', both);
  await afterEveryChange(database, 'own_fields', both);
}

async function afterEveryChange(
  database: Kysely<unknown>,
  table: string,
  revise: RawBuilder<unknown>,
): Promise<void> {
  if (!isSqlite(database)) {
    const when = sql`after insert or update or delete on ${sql.table(table)} for each statement`;
    await createPostgresTrigger(database, `after_change_of_${table}`, when, sql`${revise};`);
    return;
  }
  for (const event of ['insert', 'update', 'delete'])
    await sql`create trigger ${sql.ref(`after_${event}_${table}`)} after ${sql.raw(event)}
      on ${sql.table(table)} begin ${revise}; end`.execute(database);
}
