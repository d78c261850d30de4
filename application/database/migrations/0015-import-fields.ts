/** The fields that an import makes when it runs. */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await sql`alter table imports add column fields ${text} not null default '[]'`.execute(database);
}
