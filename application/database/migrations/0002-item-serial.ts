/** Serial numbers of items. No item has one at first, so the words of the search stay as they are. */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await sql`alter table items add column serial ${text} not null default ''
    constraint items_serial check (length(serial) <= 120)`.execute(database);
}
