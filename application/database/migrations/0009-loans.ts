/**
 * Adds to each item who has it, until when and since when, and the quantity that is too low. Each filter of
 * the list has a partial index: an item that is neither lent nor running low is in none of them.
 *
 * All columns may be null, so an older release can run beside the new one. It restores an item that was
 * deleted while it was lent as one that is not.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await schema
    .alterTable('items')
    .addColumn('lent_to', text, (column) => column.check(sql`length(lent_to) between 1 and 120`))
    .execute();
  for (const name of ['lent_until', 'lent_at'])
    await schema.alterTable('items').addColumn(name, text).execute();
  await schema
    .alterTable('items')
    .addColumn('minimum', integer, (column) => column.check(sql`minimum between 1 and 1000000`))
    .execute();
  await sql`create index items_by_lent on items (number) where lent_to is not null`.execute(
    database,
  );
  await sql`create index items_by_lent_until on items (lent_until, number)
    where lent_until is not null`.execute(database);
  await sql`create index items_by_low on items (number) where quantity < minimum`.execute(database);
}
