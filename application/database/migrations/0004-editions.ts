/**
 * Editions: a random revision of the data that pages show, for entity tags. Triggers set a new one
 * with every change, so changes by an older release or another program count too.
 */
import { type Kysely, sql } from 'kysely';
import { engineOf } from '../kysely.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const text = engineOf(database).textType;
  await database.schema
    .createTable('editions')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('edition', text, (column) => column.notNull())
    .execute();
  const edition = engineOf(database).randomName;
  await sql`insert into editions (name, edition) values ('items', ${edition})`.execute(database);

  const change = sql`update editions set edition = ${edition} where name = 'items'`;
  for (const table of ['items', 'item_tags']) {
    await engineOf(database).afterEveryChange(
      database,
      table,
      ['insert', 'update', 'delete'],
      change,
    );
  }
  // The pages of items show the usernames of who added and changed them.
  await engineOf(database).afterEveryChange(database, 'accounts', ['update of username'], change);
}
