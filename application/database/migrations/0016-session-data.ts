/**
 * Adds the data of a session, which the framework's store writes.
 *
 * It has a default, so an older release can run beside the new one.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema
    .alterTable('sessions')
    .addColumn('data', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
