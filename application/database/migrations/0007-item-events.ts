/**
 * Adds the history of the items: one row for each change, deletion and restore. A new item has none: its
 * own row says who added it and when.
 *
 * During a rolling update, an older release only adds items, so it misses nothing here.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await schema
    .createTable('item_events')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('item_number', integer, (column) => column.notNull())
    .addColumn('item_name', text, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.references('accounts.id'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('batch', text)
    .addColumn('undoes', integer)
    .addColumn('changes', text, (column) => column.notNull())
    .addColumn('snapshot', text)
    .execute();
  await schema
    .createIndex('item_events_by_item')
    .on('item_events')
    .columns(['item_number', 'id'])
    .execute();
  // A change is undone once: of two users who undo it at once, one is refused.
  await sql`create unique index item_events_by_undone on item_events (undoes)
    where undoes is not null`.execute(database);
  await sql`create index item_events_by_batch on item_events (batch) where batch is not null`.execute(
    database,
  );
  await sql`create index item_events_in_bin on item_events (id) where snapshot is not null`.execute(
    database,
  );
}
