/**
 * Adds batches: one row for each form or file that changed several items. Their events name it, so the history
 * shows them as one line.
 *
 * An older release that runs beside this one shows each event by itself, and does not count what it undoes.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable('batches')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.references('accounts.id'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('about', text, (column) => column.notNull())
    .addColumn('events', integer, (column) => column.notNull())
    .addColumn('undone', integer, (column) => column.notNull())
    .addColumn('last_event', integer)
    .addColumn('undoes', integer)
    .execute();
  // The two halves of the history of all items.
  await sql`create index batches_by_last_event on batches (last_event)
    where last_event is not null`.execute(database);
  await sql`create index item_events_without_batch on item_events (id) where batch is null`.execute(
    database,
  );
}
