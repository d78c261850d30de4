/** A database without tables on either engine, opened as often as a test needs, each time as another instance. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Database } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { createTestFolder, fileOf, PATIENT } from './open-test-database.ts';
import { createBarePostgresDatabase } from './postgres/cluster.ts';

export interface BareDatabase {
  /** For `openBareDatabase` in another process. */
  readonly url: string;
  readonly open: () => Promise<Database>;
}

/** The database and all instances of it end with the test. */
export async function createBareDatabase(
  t: Pick<TestContext, 'after'>,
  engine: Database['engine'],
): Promise<BareDatabase> {
  const opened: Database[] = [];
  const { url, drop } =
    engine === 'postgres'
      ? await createBarePostgresDatabase()
      : { url: `sqlite:${join(createTestFolder(t), 'test.db')}`, drop: async () => {} };
  t.after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await drop();
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
