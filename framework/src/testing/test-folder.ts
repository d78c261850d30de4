/** A folder for one test, and a SQLite file in one. Both are gone when the test has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import type { StoreTest } from '../session/store-test.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';

export function createTestFolder(t: StoreTest): string {
  const folder = createFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

/** An open database, with its file. `schema` is run in it first. */
export async function openTestDatabase(
  t: StoreTest,
  schema = 'select 1',
): Promise<{ readonly database: Database; readonly file: string }> {
  const folder = createFolder();
  const file = join(folder, 'test.db');
  const database = await openSqlite(file, {
    migrate: async ({ run }) => void (await run(schema)),
  });
  // In this order: what is registered first runs first.
  t.after(async () => {
    await database.close();
    removeFolder(folder);
  });
  return { database, file };
}

/** Two open databases of one file, as two instances of a site have it. */
export async function openTestInstances(t: StoreTest): Promise<readonly [Database, Database]> {
  const folder = createFolder();
  const file = join(folder, 'test.db');
  const instances = [await openSqlite(file), await openSqlite(file)] as const;
  t.after(async () => {
    await Promise.all(instances.map((database) => database.close()));
    removeFolder(folder);
  });
  return instances;
}

const createFolder = () => mkdtempSync(join(tmpdir(), 'seeother-test-'));
const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });
