/** What each account has chosen for its last labels. */
import { type Kysely, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await sql`alter table accounts add column labels ${text} not null default ''`.execute(database);
}
