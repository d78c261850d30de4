/**
 * Adds how an account wants to see the list of items: see items/list/list-view.ts.
 *
 * It has a default, so an older release can run beside the new one.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .alterTable('accounts')
    .addColumn('list_view', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
