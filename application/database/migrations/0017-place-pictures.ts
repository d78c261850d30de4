/**
 * A place can have a picture: a file of no item, whose `item_number` is 0. A change of places notes the picture
 * before it and after it.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  await runAll(database, [
    sql`alter table places add column picture ${integer}`,
    sql`alter table place_changes add column picture ${integer}`,
    sql`alter table place_changes add column picture_after ${integer}`,
  ]);
}
