/**
 * The photos and documents of the items. A row outlives its item in the bin, and its removal as long as that can be
 * undone. What a list needs of them stands in the item itself, so that a list without photos reads nothing more.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table item_files (
      id ${integer} primary key,
      item_number ${integer} not null,
      position ${integer} not null,
      kind ${text} not null,
      name ${text} not null,
      caption ${text} not null default '',
      type ${text} not null,
      size ${integer} not null,
      sha256 ${text} not null,
      file ${text} not null,
      original ${text},
      kept_hash ${text},
      page_file ${text},
      page_hash ${text},
      width ${integer},
      height ${integer},
      list_file ${text},
      list_hash ${text},
      added_at ${text} not null,
      added_by ${integer},
      removed_at ${text},
      constraint item_files_kind check (kind in ('waiting', 'photo', 'failed', 'document')))`,
    sql`create index item_files_by_item on item_files (item_number, position)`,
    sql`create index item_files_removed on item_files (removed_at) where removed_at is not null`,
    sql`alter table items add column picture ${text}`,
  ]);
  // Pages are cached by the revision, and a picture that was made later changes them too.
  if (!isSqlite(database)) {
    const when = sql`after insert or update or delete on item_files for each statement`;
    const revise = sql`update revisions set revision = gen_random_uuid()::text where name = 'items';`;
    await createPostgresTrigger(database, 'after_change_of_item_files', when, revise);
    return;
  }
  for (const event of ['insert', 'update', 'delete'])
    await sql`create trigger ${sql.ref(`after_${event}_item_files`)} after ${sql.raw(event)} on item_files
      begin update revisions set revision = lower(hex(randomblob(16))) where name = 'items'; end`.execute(
      database,
    );
}
