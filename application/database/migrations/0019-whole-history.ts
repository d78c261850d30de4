/**
 * The history gets the additions too, and indexes to filter it by person, kind and time. An item that is there gets
 * the event of its addition with its number as a negative id: so it comes before every other event of the item, and
 * cannot be undone. Accounts get a display name.
 *
 * An older release that runs beside this one adds items without an event: their own rows still say who added them.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema.alterTable('accounts').addColumn('display_name', text).execute();
  await sql`insert into item_events
      (id, item_number, item_name, version, at, account_id, kind, reason, changes)
    select -number, number, name, 1, created_at, created_by, 'added', '', '{}' from items
    where not exists (select 1 from item_events
      where item_number = items.number and kind = 'added')`.execute(database);
  await sql`drop index item_events_without_batch`.execute(database);
  for (const [name, columns] of [
    ['item_events_by_time', 'at, id'],
    ['item_events_by_person', 'account_id, at, id'],
  ] as const)
    await sql`create index ${sql.ref(name)} on item_events (${sql.raw(columns)})
      where batch is null`.execute(database);
  // Additions are found by their time: there are as many as items, and each index makes a create dearer.
  await sql`create index item_events_by_kind on item_events (kind, at, id)
    where batch is null and kind <> 'added'`.execute(database);
  await sql`drop index batches_by_last_event`.execute(database);
  await sql`create index batches_by_time on batches (at)`.execute(database);
  await sql`create index batches_by_person on batches (account_id, at)`.execute(database);
  if (isSqlite(database)) return;
  const { rows } = await sql`select 1 from item_events limit 1`.execute(database);
  // The planner's default estimate is better than statistics of an empty table.
  if (rows.length > 0) await sql`analyze item_events`.execute(database);
}
