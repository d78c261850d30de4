/** A site for tests, with the database of TEST_DATABASE_URL: its items and accounts are deleted first. */
import assert from 'node:assert/strict';
import type { Connection } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { migrate } from './database.ts';
import { createRouter } from './router.ts';

export async function openTestSite() {
  const { TEST_DATABASE_URL, DATABASE_URL } = process.env;
  assert.ok(
    TEST_DATABASE_URL !== undefined && TEST_DATABASE_URL !== DATABASE_URL,
    'Cannot test: write TEST_DATABASE_URL into .env, the address of a database that the tests may empty.',
  );
  const database = await openPostgres(parsePostgresUrl(TEST_DATABASE_URL), { migrate: startAnew });
  const router = createRouter(database, { log: false });
  return {
    database,
    router,
    close: () => database.close(),
  };
}

async function startAnew(connection: Connection): Promise<void> {
  await connection.run('drop table if exists items, accounts, migrations');
  await migrate(connection);
}
