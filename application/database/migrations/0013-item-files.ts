/**
 * The photos and documents of the items. A row outlives its item in the bin, and its removal as long as that can be
 * undone. What a list needs of them stands in the item itself, so that a list without photos reads nothing more.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

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
}
