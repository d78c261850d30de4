/**
 * Brings the tables up to date. All missing migrations run in one transaction, and one instance runs
 * them while the others wait, so that several may start at once and a crash leaves nothing half done.
 */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { ErrorEntry } from '../process/error-line.ts';
import { isSqlite } from './kysely.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as accountsAndSessions from './migrations/0002-accounts-and-sessions.ts';
import * as editions from './migrations/0004-editions.ts';
import * as largeLists from './migrations/0005-large-lists.ts';
import * as accountStates from './migrations/0006-account-states.ts';
import * as itemEvents from './migrations/0007-item-events.ts';
import * as roles from './migrations/0008-roles.ts';
import * as loans from './migrations/0009-loans.ts';
import * as imports from './migrations/0010-imports.ts';
import * as itemFacets from './migrations/0011-item-facets.ts';
import * as batches from './migrations/0012-batches.ts';
import type { Schema } from './schema.ts';

/** In the order of their names, which is the order they run in. Never change one that has landed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-accounts-and-sessions': accountsAndSessions,
  '0004-editions': editions,
  '0005-large-lists': largeLists,
  '0006-account-states': accountStates,
  '0007-item-events': itemEvents,
  '0008-roles': roles,
  '0009-loans': loans,
  '0010-imports': imports,
  '0011-item-facets': itemFacets,
  '0012-batches': batches,
};

/** A newer version of the application has migrated the database. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';

  /** `migration` is one that this version does not have. */
  constructor(migration: string) {
    super(
      `migrations: ${migration} is not known here, so a newer version has used this database. Start that version.`,
    );
  }
}

export interface MigrateOptions {
  /** Is told of each migration that a database gets which had tables before. */
  readonly report?: ((entry: ErrorEntry) => void) | undefined;
  /** Whether a database that a newer version has migrated is used; otherwise it is a `NewerDatabase`. */
  readonly acceptsNewer?: boolean | undefined;
  /** Copies a database that had tables before; what it resolves to names the copy, after the migration. */
  readonly copy?: (next: string) => Promise<() => string>;
}

/** The door lets one process at a time migrate. */
export async function migrate(
  database: Kysely<Schema>,
  options: MigrateOptions = {},
): Promise<void> {
  // The lock for writing is for those that have something to do.
  if ((await findMissing(database, options)).length === 0) return;
  const finish = await database
    .transaction()
    .execute((transaction) => runMissing(transaction, options));
  finish();
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

async function hasTable(database: Kysely<Schema>, name: string): Promise<boolean> {
  const query = isSqlite(database)
    ? sql`select 1 from sqlite_master where name = ${name}`
    : sql`select 1 where to_regclass(${name}) is not null`;
  return (await query.execute(database)).rows.length > 0;
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
