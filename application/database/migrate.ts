/**
 * Brings the tables up to date. All missing migrations run in one transaction under the write lock,
 * so that several processes may start at once and a crash leaves nothing half done.
 */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as accountsAndSessions from './migrations/0002-accounts-and-sessions.ts';
import type { Schema } from './schema.ts';

/** In the order of their names, which is the order they run in. Never change one that has landed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-accounts-and-sessions': accountsAndSessions,
};

export async function migrate(database: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
