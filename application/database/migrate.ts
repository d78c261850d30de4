/**
 * Runs all missing migrations in one transaction, so that a crash leaves nothing half done. If several instances
 * start at once, one migrates while the others wait.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Connection, Database } from 'seeother/database';
import type { ErrorEntry } from '../settings/error-line.ts';
import { createKysely, isSqlite } from './kysely.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Schema } from './schema.ts';

/** The names of all migrations, in the order they run in. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);
/** Where Kysely notes those that have run. */
const TABLE = 'kysely_migration';

/** The first migration of every version before 0.2.0, the first release. */
const BEFORE_RELEASES = '0001-first-tables';

/** A version of the application whose migrations are others has used the database. */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';

  /** `migration` is the first one that this version does not have. */
  constructor(migration: string) {
    super(
      migration === BEFORE_RELEASES
        ? 'migrations: this database is from before 0.2.0, the first release: commit 389308d49c is the last that opens it, and the CSV file of all items that it exports can be imported here.'
        : `migrations: ${migration} is not known here, so a newer version has used this database. Start that version.`,
    );
  }
}

/** The first migration, by name, that this version does not have. */
export function findForeign(done: readonly string[], names = MIGRATION_NAMES): string | undefined {
  return done.toSorted().find((name) => !names.includes(name));
}

export interface MigrateOptions {
  /** Called for each migration, unless the database is new. */
  readonly report?: ((entry: ErrorEntry) => void) | undefined;
  /** Whether to use a database that a newer version has migrated, instead of throwing a `ForeignDatabase`. */
  readonly acceptsNewer?: boolean | undefined;
  /** For tests: other migrations than those of this version. */
  readonly migrations?: typeof MIGRATIONS | undefined;
  /** Copies a database that is not new. Resolves to a function that names the copy, called after the commit. */
  readonly copy?: (next: string) => Promise<() => string>;
}

/** The caller lets only one process at a time migrate. */
export async function migrate(
  engine: Database['engine'],
  connection: Connection,
  options: MigrateOptions = {},
): Promise<void> {
  const database = createKysely(engine, connection);
  // The lock for writing is for those that have something to do.
  if ((await findMissing(database, options)).length === 0) return;
  await connection.run(engine === 'sqlite' ? 'begin immediate' : 'begin');
  try {
    const finish = await runMissing(database, options);
    await connection.run('commit');
    finish();
  } catch (error) {
    // After the commit, or when SQLite has rolled back already, there is nothing to roll back.
    await connection.run('rollback').catch(() => {});
    throw error;
  }
}

/** Only reads. Throws a `ForeignDatabase` unless `acceptsNewer` is set and the database has all migrations. */
async function findMissing(
  database: Kysely<Schema>,
  { report = () => {}, acceptsNewer = false, migrations = MIGRATIONS }: MigrateOptions,
): Promise<readonly string[]> {
  const done = await listDone(database);
  const names = Object.keys(migrations);
  const missing = names.filter((name) => !done.includes(name));
  const unknown = findForeign(done, names);
  if (unknown === undefined) return missing;
  const foreign = new ForeignDatabase(unknown);
  if (!acceptsNewer || missing.length > 0) throw foreign;
  report({ message: `${foreign.message} Until then this one goes on: migrations only add.` });
  return [];
}

async function listDone(database: Kysely<Schema>): Promise<readonly string[]> {
  if (!(await hasTable(database, TABLE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(TABLE)}`.execute(database);
  return rows.map(({ name }) => name);
}

export async function hasTable(database: Kysely<Schema>, name: string): Promise<boolean> {
  const query = isSqlite(database)
    ? sql`select 1 from sqlite_master where name = ${name}`
    : sql`select 1 where to_regclass(${name}) is not null`;
  return (await query.execute(database)).rows.length > 0;
}

/** Resolves to a function to call after the commit. */
async function runMissing(database: Kysely<Schema>, options: MigrateOptions): Promise<() => void> {
  const { report = () => {}, copy, migrations = MIGRATIONS } = options;
  const missing = await findMissing(database, options);
  const [next] = missing;
  if (next === undefined) return () => {};
  const isNew = missing.length === Object.keys(migrations).length;
  const nameCopy = isNew ? undefined : await copy?.(next);
  // Most starts have nothing to migrate.
  const { Migrator } = await import('kysely/migration');
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => load(migrations) },
    // They run in the transaction of `migrate`.
    disableTransactions: true,
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

async function load(migrations: typeof MIGRATIONS): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {};
  for (const [name, one] of Object.entries(migrations)) loaded[name] = await one();
  return loaded;
}
