/** All that depends on the database being SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, OpenOptions } from 'seeother/database';
import { openSqlite } from 'seeother/sqlite';

type Migrate = OpenOptions['migrate'];

/** The type of a key that the database numbers, and the start of a transaction that changes tables. */
export const KEY = 'integer primary key autoincrement';
export const BEGIN = 'begin immediate';

export function openDatabase(migrate: Migrate): Promise<Database> {
  return openSqlite(process.env.DATABASE_FILE ?? 'data.db', { migrate });
}

/** An empty database, which is removed when it is closed. */
export async function openTestDatabase(migrate: Migrate): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  const database = await openSqlite(join(folder, 'data.db'), { migrate });
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
