/**
 * Adds roles to accounts, a name and a role to invitations, and links that reset a password.
 *
 * The oldest account that is enabled becomes an administrator, all others members. All columns have
 * defaults, so an older release can run beside the new one: accounts that it registers are members.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  for (const table of ['accounts', 'invitations']) {
    await schema
      .alterTable(table)
      .addColumn('role', text, (column) => column.notNull().defaultTo('member'))
      .execute();
  }
  await schema
    .alterTable('invitations')
    .addColumn('name', text, (column) => column.notNull().defaultTo(''))
    .execute();
  for (const name of ['reset_key', 'reset_ends_at'])
    await schema.alterTable('accounts').addColumn(name, text).execute();
  await schema.alterTable('accounts').addColumn('reset_by', integer).execute();
  await sql`update accounts set role = 'administrator' where id =
    (select id from accounts where disabled_at is null order by created_at, id limit 1)`.execute(
    database,
  );
}
