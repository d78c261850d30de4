/** Ways to get around accounts, and moments in which they meet, on SQLite; the application runs them on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { describeLinkAttacks } from './link-attacks.contract.ts';
import { describeLogIn } from './log-in.contract.ts';
import { describeSecondFactorAttacks } from './second-factor-attacks.contract.ts';
import { describeSessionAttacks } from './session-attacks.contract.ts';

describeSecondFactorAttacks('SQLite', openInstances);
describeLinkAttacks('SQLite', openInstances);
describeSessionAttacks('SQLite', openInstances);
describeLogIn('SQLite', openInstances);

async function openInstances(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'attacks-'));
  const opened: Database[] = [];
  t.after(async () => {
    for (const database of opened) await database.close();
    rmSync(folder, { recursive: true });
  });
  return async () => {
    const database = await openSqlite(join(folder, 'accounts.db'), { timeout: 20_000 });
    opened.push(database);
    return database;
  };
}
