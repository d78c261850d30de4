/** The photos of an import: those that are still to be attached, and the zip that has them. */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`alter table imports add column photos ${text}`,
    // A photo is deleted in the transaction that attaches it, so each is attached once.
    sql`create table import_photos (
      import_id ${integer} not null references imports (id) on delete cascade,
      position ${integer} not null,
      path ${text} not null,
      name ${text} not null,
      type ${text} not null,
      line ${integer},
      first_line ${integer},
      item_number ${integer},
      constraint import_photos_pk primary key (import_id, position))`,
    // It outlives its import until it is removed from the file store.
    sql`create table import_zips (file ${text} primary key, import_id ${integer} not null)`,
  ]);
}
