/** All that depends on the database being PostgreSQL. */
import assert from 'node:assert/strict';
import type { Connection, Database } from 'seeother/database';
import { explainPostgres, openPostgres, parsePostgresUrl } from 'seeother/postgres';

type Migrate = (connection: Connection) => Promise<void>;

const { DATABASE_URL, TEST_DATABASE_URL } = process.env;

/** The type of a key that the database numbers, and the start of a transaction that changes tables. */
export const KEY = 'integer primary key generated always as identity';
export const BEGIN = 'begin';

export async function openDatabase(migrate: Migrate): Promise<Database> {
  if (DATABASE_URL === undefined) {
    console.error(
      'Cannot start: DATABASE_URL is not set. Write it into .env, such as postgres://user:password@localhost:5432/name',
    );
    process.exit(1);
  }
  return openPostgres(parsePostgresUrl(DATABASE_URL), { migrate }).catch((error: unknown) => {
    console.error(`Cannot open the database of DATABASE_URL: ${explainPostgres(error)}`);
    process.exit(1);
  });
}

/** The database of TEST_DATABASE_URL, emptied. */
export function openTestDatabase(migrate: Migrate): Promise<Database> {
  assert.ok(
    TEST_DATABASE_URL !== undefined && TEST_DATABASE_URL !== DATABASE_URL,
    'Cannot test: write TEST_DATABASE_URL into .env, the address of a database that the tests may empty.',
  );
  return openPostgres(parsePostgresUrl(TEST_DATABASE_URL), {
    async migrate(connection) {
      const { rows } = await connection.run<{ name: string }>(
        'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()',
      );
      for (const { name } of rows) await connection.run(`drop table ${name} cascade`);
      await migrate(connection);
    },
  });
}
