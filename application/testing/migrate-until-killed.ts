/** Run as a process of its own: makes the tables of a database, and is killed by SIGKILL half way. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../database/migrate.ts';
import type { Schema } from '../database/schema.ts';
import { createSqliteDialect } from '../database/sqlite-dialect.ts';
import { fileOf } from './open-test-database.ts';

const [url = ''] = process.argv.slice(2);
const dialect = url.startsWith('sqlite:')
  ? createSqliteDialect(new DatabaseSync(fileOf(url)))
  : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
const database = new Kysely<Schema>({
  dialect,
  // Told of each statement that was carried out.
  log({ query }) {
    if (query.sql.includes('"new_item_tags"')) process.kill(process.pid, 'SIGKILL');
  },
});
await migrate(database);
