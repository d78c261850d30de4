/**
 * Product codes of items, and how a scan finds an item by its code or its serial number, whatever the case. The indexes
 * hold only items that have one, so an item without them costs what it did.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await runAll(database, [
    sql`alter table items add column code ${text} not null default ''
      constraint items_code check (length(code) <= 120)`,
    sql`create index items_by_code on items (lower(code)) where code <> ''`,
    sql`create index items_by_serial on items (lower(serial)) where serial <> ''`,
  ]);
}
