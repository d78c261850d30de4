/**
 * Prepares lists of a million items: indexes for each sort order and for the location, a full-text
 * index, and a table of deleted item numbers, so that items are counted without reading them.
 *
 * During a rolling update, an older release adds items beside the new one. It deletes none, so the
 * table stays correct. Its items are indexed when the new release adds the next item
 * (item-search.ts).
 */
import { type Kysely, sql } from 'kysely';
import { indexAllItems } from '../../items/item-search.ts';
import { isSqlite } from '../kysely.ts';
import { columnTypes, createPostgresTrigger } from '../migration-sql.ts';
import type { Schema } from '../schema.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await createWordTable(database);
  // The index must match the search of the current code. So this uses that code, not a copy of it.
  await indexAllItems(database as Kysely<Schema>);
  await recordGaps(database);
  await forgetDeletedItems(database);
  // Last, because from here to the end of the migration an older release cannot add items.
  await indexItems(database);
  await countFilledTables(database);
}

/** The words of items: `rowid` is the number of the item, and spaces part the `words`. */
async function createWordTable(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) {
    await sql`create virtual table "item_words" using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
    return;
  }
  await sql`create table item_words
    (rowid bigint primary key, words tsvector not null)`.execute(database);
  await sql`create index on item_words using gin (words) with (fastupdate = off)`.execute(database);
}

/** One row for each thousand numbers with deleted items. */
async function recordGaps(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  await database.schema
    .createTable('item_gaps')
    .addColumn('block', integer, (column) => column.primaryKey())
    .addColumn('gone', integer, (column) => column.notNull())
    .execute();
  await sql`insert into item_gaps
    with recursive blocks (block, given) as (
      select 0, value from counters where name = 'items'
      union all
      select block + 1, given from blocks where (block + 1) * 1000 < given
    ), present (block, items) as (
      select (number - 1) / 1000, count(*) from items group by 1
    ), gaps (block, gone) as (
      select blocks.block,
        case when given < (blocks.block + 1) * 1000 then given - blocks.block * 1000 else 1000 end
        - coalesce(items, 0)
      from blocks left join present on present.block = blocks.block
    )
    select block, gone from gaps where gone > 0`.execute(database);
}

async function forgetDeletedItems(database: Kysely<unknown>): Promise<void> {
  const forget = sql`delete from item_words where rowid = old.number;
    insert into item_gaps (block, gone) values ((old.number - 1) / 1000, 1)
      on conflict (block) do update set gone = item_gaps.gone + 1`;
  if (isSqlite(database))
    await sql`create trigger "forget_item" after delete on "items"
      begin ${forget}; end`.execute(database);
  else {
    const when = sql`after delete on items for each row`;
    await createPostgresTrigger(database, 'forget_item', when, sql`${forget};`);
  }
}

async function indexItems(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  // In both engines, lower() changes only ASCII letters here: they compare text byte by byte.
  await sql`create index items_by_name on items (lower(name), number)`.execute(database);
  for (const column of ['quantity', 'updated_at', 'location']) {
    await schema
      .createIndex(`items_by_${column}`)
      .on('items')
      .columns([column, 'number'])
      .execute();
  }
}

/**
 * PostgreSQL updates its statistics by itself only a minute later. Skips empty tables: the planner's default
 * estimate is better than statistics of an empty table.
 */
async function countFilledTables(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) return;
  const { rows } = await sql`select 1 from items limit 1`.execute(database);
  if (rows.length === 0) return;
  for (const table of ['items', 'item_tags', 'item_words'])
    await sql`analyze ${sql.table(table)}`.execute(database);
}
