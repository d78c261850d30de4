/**
 * Adds columns for disabled accounts, expiring passwords, superseded session ids and pending log-in
 * attempts.
 *
 * All have defaults, so an older release can run beside the new one.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  for (const name of ['disabled_at', 'password_expires_at']) {
    await schema.alterTable('accounts').addColumn(name, text).execute();
  }
  await schema
    .alterTable('sessions')
    .addColumn('superseded', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('failed_log_ins')
    .addColumn('pending', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
