/** The record of each count: who counted what, when, what was found, and what was missing. */
import { type Kysely, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table counts (
      id ${integer} primary key,
      at ${text} not null,
      account_id ${integer} not null references accounts (id),
      form ${text} not null,
      about ${text},
      field ${text},
      key ${text},
      listed ${integer} not null,
      items ${integer} not null default 0,
      missing ${integer} not null default 0,
      surplus ${integer} not null default 0,
      uncounted ${integer} not null default 0)`,
    sql`create index counts_by_form on counts (form)`,
    sql`create index counts_by_place on counts (field, key, id)`,
    sql`create table count_lines (
      count_id ${integer} not null references counts (id) on delete cascade,
      item_number ${integer} not null,
      name ${text} not null,
      expected ${integer} not null,
      found ${integer},
      batch ${integer},
      constraint count_lines_pk primary key (count_id, item_number))`,
    sql`create index count_lines_by_item on count_lines (item_number)`,
  ]);
  // Pages of items say when a place was last counted.
  if (!isSqlite(database)) {
    const when = sql`after insert or update on counts for each statement`;
    const revise = sql`update revisions set revision = gen_random_uuid()::text where name = 'items';`;
    await createPostgresTrigger(database, 'after_change_of_counts', when, revise);
    return;
  }
  for (const event of ['insert', 'update'])
    await sql`create trigger ${sql.ref(`after_${event}_counts`)} after ${sql.raw(event)} on counts
      begin update revisions set revision = lower(hex(randomblob(16))) where name = 'items'; end`.execute(
      database,
    );
}
