/** A database without tables on either engine, opened as often as a test needs, each time as another instance. */
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type { Database } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { fileOf } from './create-test-database.ts';
import { createTestFolder, PATIENT } from './open-test-database.ts';
import { createBarePostgresDatabase, type PostgresDatabase, runSql } from './postgres/cluster.ts';

export interface BareDatabase {
  /** For `openBareDatabase` in another process. */
  readonly url: string;
  readonly open: () => Promise<Database>;
}

/** PostgreSQL databases without tables again: to drop one and to create another takes ten times as long. */
const idle: PostgresDatabase[] = [];
after(() => Promise.all(idle.splice(0).map(({ drop }) => drop())));

/** The database and all instances of it end with the test. */
export async function createBareDatabase(
  t: Pick<TestContext, 'after'>,
  engine: Database['engine'],
): Promise<BareDatabase> {
  const opened: Database[] = [];
  const onServer =
    engine === 'postgres' ? (idle.pop() ?? (await createBarePostgresDatabase())) : undefined;
  const url = onServer?.url ?? `sqlite:${join(createTestFolder(t), 'test.db')}`;
  t.after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    if (onServer === undefined) return;
    await runSql(url, 'drop schema public cascade; create schema public');
    idle.push(onServer);
  });
  return {
    url,
    async open() {
      const database = await openBareDatabase(url);
      opened.push(database);
      return database;
    },
  };
}

export function openBareDatabase(url: string): Promise<Database> {
  return url.startsWith('sqlite:')
    ? openSqlite(fileOf(url), PATIENT)
    : openPostgres(parsePostgresUrl(url), PATIENT);
}
