/**
 * Adds what the owner of an account is told after the next log-in: that the password or the role was changed.
 *
 * An older release that runs beside this one neither writes a notice nor shows one.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable('account_notices')
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('account_notices_key', ['account_id', 'kind'])
    .execute();
}
