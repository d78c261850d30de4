/** The table of revisions gets the name of what it holds. SQLite changes the triggers by itself. */
import { type Kysely, sql } from 'kysely';
import { isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await runAll(database, [
    sql`alter table editions rename to revisions`,
    sql`alter table revisions rename column edition to revision`,
  ]);
  if (isSqlite(database)) return;
  for (const table of ['items', 'item_tags', 'accounts'])
    await sql`create or replace function ${sql.ref(`after_change_of_${table}`)}() returns trigger language plpgsql
      as $$ begin update revisions set revision = gen_random_uuid()::text where name = 'items'; return null; end $$`.execute(
      database,
    );
}
