/** A database that another version of the application has left. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { StartError } from '../settings/start-error.ts';
import { createSqliteDialect } from '../testing/create-sqlite-dialect.ts';
import { fileOf } from '../testing/create-test-database.ts';
import { dumpDatabase } from '../testing/dump-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';
import { copyBeforeMigration } from './copy-sqlite-file.ts';
import type { Database } from './kysely.ts';
import { MIGRATION_NAMES } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openDatabase } from './open-database.ts';

const NEWEST = MIGRATION_NAMES.slice(-2);

async function createUrl(t: TestContext, engine: Database['engine']): Promise<string> {
  if (engine === 'sqlite') return `sqlite:${join(createTestFolder(t), 'application.db')}`;
  const { url, drop } = await createBarePostgresDatabase();
  t.after(drop);
  return url;
}

/** Runs the migrations of those names alone. */
async function migrateTo(url: string, names: readonly string[]): Promise<void> {
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const load = MIGRATIONS[name] ?? assert.fail(name);
    migrations[name] = await load();
  }
  const database = new Kysely({
    dialect: url.startsWith('sqlite:')
      ? createSqliteDialect(new DatabaseSync(fileOf(url)))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  assert.equal(error, undefined);
  await database.destroy();
}

/** Opens and closes; what was reported meanwhile. */
async function open(url: string, acceptsNewer = false): Promise<readonly string[]> {
  const reports: string[] = [];
  const report = ({ message }: { readonly message: string }) => reports.push(message);
  await (await openDatabase(url, { report, acceptsNewer })).close();
  return reports;
}

for (const { engine, name, skip } of ENGINES) {
  test(`an older ${name} database is migrated with a line for each migration, a new one silently`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    await migrateTo(url, MIGRATION_NAMES.slice(0, -2));
    const lines = await open(url);
    assert.deepEqual(
      lines.slice(0, 2),
      NEWEST.map((one) => `Migrated the database: ${one} has run.`),
    );
    assert.deepEqual(await open(url), []);
    assert.deepEqual(await open(await createUrl(t, engine)), []);
  });

  test(`a ${name} database of a newer version is refused with an explanation, and accepted on request`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    await open(url);
    const later = new Kysely<Record<string, Record<string, string>>>({
      dialect:
        engine === 'sqlite'
          ? createSqliteDialect(new DatabaseSync(fileOf(url)))
          : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    const row = { name: '9999-later', timestamp: '' };
    await later.insertInto('kysely_migration').values(row).execute();
    await later.destroy();
    await assert.rejects(open(url), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(
        error.message,
        /: migrations: 9999-later is not known here, so a newer version has used this database\. Start that version\.$/,
      );
      return true;
    });
    const [line, ...others] = await open(url, true);
    assert.match(line ?? '', /9999-later is not known here.* migrations only add\.$/);
    assert.deepEqual(others, []);
  });
}

for (const { engine, name, skip } of ENGINES)
  test(`references in a ${name} database of an older version count for files of any kind`, {
    skip,
  }, async (t) => {
    const url = await createUrl(t, engine);
    const before = MIGRATION_NAMES.filter((one) => one < '0027');
    await migrateTo(url, before);
    const older = new Kysely<Record<string, Record<string, string | number>>>({
      dialect:
        engine === 'sqlite'
          ? createSqliteDialect(new DatabaseSync(fileOf(url)))
          : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    await older.insertInto('item_references').values({ reference: 'A1', item_number: 7 }).execute();
    await older.destroy();
    const database = await openDatabase(url);
    t.after(() => database.close());
    assert.deepEqual(await database.read.selectFrom('item_sources').selectAll().execute(), [
      { source: 'A1', kind: '', item_number: 7 },
    ]);
  });

test('a SQLite file is copied before its migration, and the copy is private', async (t) => {
  const url = await createUrl(t, 'sqlite');
  await migrateTo(url, MIGRATION_NAMES.slice(0, -2));
  const before = await dumpDatabase(url);
  const [, , line = ''] = await open(url);
  const copy = /^The database as it was before is in (.+)\.$/.exec(line)?.[1] ?? '';
  const folder = dirname(fileOf(url));
  assert.equal(dirname(copy), folder);
  assert.match(
    basename(copy),
    new RegExp(String.raw`^application-before-${NEWEST[0]}-\d{4}-\d\d-\d\dT\d{6}Z\.db$`),
  );
  if (process.platform !== 'win32') assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.deepEqual(await dumpDatabase(`sqlite:${copy}`), before);
});

test('a migration that fails repeatedly leaves one copy', async (t) => {
  const url = await createUrl(t, 'sqlite');
  await open(url);
  for (let count = 0; count < 3; count++) await copyBeforeMigration(fileOf(url), '9999-later');
  const files = readdirSync(dirname(fileOf(url)));
  assert.deepEqual(
    files.filter((file) => file.includes('before')),
    ['application.db.before-migration'],
  );
});
