/** A site for tests, with an empty database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from 'seeother/sqlite';
import { migrate } from './database.ts';
import { createRouter } from './router.ts';

export async function openTestSite() {
  const folder = mkdtempSync(join(tmpdir(), 'items-'));
  const database = await openSqlite(join(folder, 'items.db'), { migrate });
  const router = createRouter(database, { log: false });
  return {
    database,
    router,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
