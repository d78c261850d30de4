/**
 * Adds the token of an invitation, so that its maker can see the link again until it is used.
 *
 * An older release that runs beside this one makes invitations without it: their links are shown once.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await database.schema.alterTable('invitations').addColumn('token', text).execute();
}
