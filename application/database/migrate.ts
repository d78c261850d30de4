/**
 * Brings the tables up to date. All missing migrations run in one transaction, and one instance runs
 * them while the others wait, so that several may start at once and a crash leaves nothing half done.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { ErrorEntry } from '../process/error-line.ts';
import {
  engineOf,
  hasTable,
  LOCK_MIGRATIONS_POSTGRES,
  UNLOCK_MIGRATIONS_POSTGRES,
} from './engine.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as accountsAndSessions from './migrations/0002-accounts-and-sessions.ts';
import * as editions from './migrations/0004-editions.ts';
import * as largeLists from './migrations/0005-large-lists.ts';
import * as accountStates from './migrations/0006-account-states.ts';
import { NewerDatabase } from './newer-database.ts';
import type { Schema } from './schema.ts';

/** In the order of their names, which is the order they run in. Never change one that has landed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-accounts-and-sessions': accountsAndSessions,
  '0004-editions': editions,
  '0005-large-lists': largeLists,
  '0006-account-states': accountStates,
};

export interface MigrateOptions {
  /** Is told of each migration that a database gets which had tables before. */
  readonly report?: (entry: ErrorEntry) => void;
  /** Whether a database that a newer version has migrated is used; otherwise it is a `NewerDatabase`. */
  readonly acceptsNewer?: boolean;
  /** Copies a database that had tables before; what it resolves to names the copy, after the migration. */
  readonly copy?: (next: string) => Promise<() => string>;
}

export async function migrate(
  database: Kysely<Schema>,
  options: MigrateOptions = {},
): Promise<void> {
  if (engineOf(database) === 'sqlite') {
    // The lock for writing is for those that have something to do.
    if ((await findMissing(database, options)).length === 0) return;
    const finish = await database
      .transaction()
      .execute((transaction) => runMissing(transaction, options));
    finish();
    return;
  }
  // The lock belongs to the connection, and the tables of the migrator itself are made under it too.
  await database.connection().execute(async (connection) => {
    const run = async (statements: readonly string[]) => {
      for (const one of statements) await connection.executeQuery(CompiledQuery.raw(one));
    };
    await run(LOCK_MIGRATIONS_POSTGRES);
    const finish = await runMissing(connection, options);
    finish();
    await run(UNLOCK_MIGRATIONS_POSTGRES);
  });
}

/** Only reads. Throws a `NewerDatabase` unless that is accepted. */
async function findMissing(
  database: Kysely<Schema>,
  { report = () => {}, acceptsNewer = false }: MigrateOptions,
): Promise<readonly string[]> {
  const done = await listDone(database);
  const missing = Object.keys(MIGRATIONS).filter((name) => !done.includes(name));
  const unknown = done.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown === undefined) return missing;
  const newer = new NewerDatabase(unknown);
  if (!acceptsNewer || missing.length > 0) throw newer;
  report({ message: `${newer.message} Until then this one goes on: migrations only add.` });
  return [];
}

async function listDone(database: Kysely<Schema>): Promise<readonly string[]> {
  if (!(await hasTable(database, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database);
  return rows.map(({ name }) => name);
}

/** Resolves to what is to be done after the commit. */
async function runMissing(database: Kysely<Schema>, options: MigrateOptions): Promise<() => void> {
  const { report = () => {}, copy } = options;
  const missing = await findMissing(database, options);
  const [next] = missing;
  if (next === undefined) return () => {};
  const isNew = missing.length === Object.keys(MIGRATIONS).length;
  const nameCopy = isNew ? undefined : await copy?.(next);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return () => {
    if (isNew) return;
    for (const name of missing) report({ message: `Migrated the database: ${name} has run.` });
    if (nameCopy !== undefined)
      report({ message: `The database as it was before is in ${nameCopy()}.` });
  };
}
