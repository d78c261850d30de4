/**
 * Adds an index of the items by the outermost location: “Office” for “Office, drawer 2”. It has all items of a location
 * that others are inside, sorted by number, so a page of them is read without the items before it.
 */
import { type Kysely, sql } from 'kysely';
import { isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) {
    await sql`create index items_by_outermost_location
      on items (substr(location, 1, instr(location || ',', ',') - 1), number)`.execute(database);
    return;
  }
  // The location is included because PostgreSQL reads the item for an expression of a column that the index lacks.
  await sql`create index items_by_outermost_location
    on items (split_part(location, ',', 1), number) include (location)`.execute(database);
  const { rows } = await sql`select 1 from items limit 1`.execute(database);
  // The planner's default estimate is better than statistics of an empty table.
  if (rows.length > 0) await sql`analyze items`.execute(database);
}
