/**
 * Brings the tables up to date. All missing migrations run in one transaction, and one instance runs
 * them while the others wait, so that several may start at once and a crash leaves nothing half done.
 */
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { engineOf, LOCK_MIGRATIONS_POSTGRES, UNLOCK_MIGRATIONS_POSTGRES } from './engine.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as accountsAndSessions from './migrations/0002-accounts-and-sessions.ts';
import * as editions from './migrations/0004-editions.ts';
import * as largeLists from './migrations/0005-large-lists.ts';
import * as accountStates from './migrations/0006-account-states.ts';
import type { Schema } from './schema.ts';

/** In the order of their names, which is the order they run in. Never change one that has landed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-accounts-and-sessions': accountsAndSessions,
  '0004-editions': editions,
  '0005-large-lists': largeLists,
  '0006-account-states': accountStates,
};

export async function migrate(database: Kysely<Schema>): Promise<void> {
  if (engineOf(database) === 'sqlite') {
    // The migrator would wait for the lock of those that are writing, with nothing to do.
    if (!(await isUpToDate(database))) await runMissing(database);
    return;
  }
  // The lock belongs to the connection, and the tables of the migrator itself are made under it too.
  await database.connection().execute(async (connection) => {
    const run = async (statements: readonly string[]) => {
      for (const one of statements) await connection.executeQuery(CompiledQuery.raw(one));
    };
    await run(LOCK_MIGRATIONS_POSTGRES);
    await runMissing(connection);
    await run(UNLOCK_MIGRATIONS_POSTGRES);
  });
}

/** Only reads. A database without the table, or of a newer version, is for the migrator to judge. */
async function isUpToDate(database: Kysely<Schema>): Promise<boolean> {
  try {
    const { rows } = await sql<{
      name: string;
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(database);
    return isDeepStrictEqual(
      rows.map(({ name }) => name),
      Object.keys(MIGRATIONS),
    );
  } catch {
    return false;
  }
}

async function runMissing(database: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
