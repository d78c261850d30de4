/**
 * Places: a row for each location that an item has, and for each one that it is inside. Only the application can make
 * their keys, so the next start writes the rows of the locations that are there: see items/place.ts.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table places (
      id ${integer} primary key,
      parent ${integer},
      name ${text} not null,
      name_key ${text} not null,
      path ${text} not null,
      key ${text} unique,
      kept ${integer} not null default 0,
      merged_into ${integer},
      version ${integer} not null default 1,
      created_at ${text} not null,
      created_by ${integer} references accounts (id),
      constraint places_name check (length(name) >= 1))`,
    sql`create index places_by_parent on places (parent, name_key, id)`,
    sql`create index places_kept on places (key) where kept = 1`,
    sql`create index places_merged on places (merged_into) where merged_into is not null`,
    sql`create table place_aliases (
      key ${text} primary key,
      path ${text} not null,
      place ${integer} not null references places (id) on delete cascade)`,
    sql`create index place_aliases_by_place on place_aliases (place)`,
    sql`create table place_changes (
      batch ${integer} not null,
      place ${integer} not null,
      parent ${integer},
      path ${text} not null,
      key ${text},
      kept ${integer} not null,
      merged_into ${integer},
      version ${integer} not null,
      constraint place_changes_pk primary key (batch, place))`,
    sql`create index place_changes_by_place on place_changes (place, batch)`,
  ]);
  // The lists of items and their forms name places.
  if (!isSqlite(database)) {
    const when = sql`after insert or update or delete on places for each statement`;
    const revise = sql`update revisions set revision = gen_random_uuid()::text where name = 'items';`;
    await createPostgresTrigger(database, 'after_change_of_places', when, revise);
    return;
  }
  for (const event of ['insert', 'update', 'delete'])
    await sql`create trigger ${sql.ref(`after_${event}_places`)} after ${sql.raw(event)} on places
      begin update revisions set revision = lower(hex(randomblob(16))) where name = 'items'; end`.execute(
      database,
    );
}
