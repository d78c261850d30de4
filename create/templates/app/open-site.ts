/** A site for tests, with an empty database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from 'seeother/sqlite';
import { createVisitor } from 'seeother/testing';
import { migrate } from './database.ts';
import { createRouter } from './router.ts';

export async function openTestSite() {
  const folder = mkdtempSync(join(tmpdir(), 'items-'));
  const database = await openSqlite(join(folder, 'items.db'), { migrate });
  const router = createRouter(database, { log: false });
  return {
    database,
    router,
    /** A visitor who has just registered. */
    async logIn(username: string) {
      const visitor = createVisitor(router);
      await visitor.submit('/register', { username, password: 'correct horse battery' });
      return visitor;
    },
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
