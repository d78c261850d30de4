/**
 * Editions: a name for the state of what pages show, new with every change of it. The database itself
 * gives them, so that nobody forgets: neither old code beside the new, nor another program.
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
  // Their pages say who has added and changed them.
  await engineOf(database).afterEveryChange(database, 'accounts', ['update of username'], change);
}
