import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { describeAccounts } from './accounts.contract.ts';
import { describeLogInForm } from './log-in-form.contract.ts';
import { describePasskeys } from './passkeys.contract.ts';
import { describePeople } from './people.contract.ts';
import { describeProviders } from './providers.contract.ts';
import { describeSecondFactor } from './second-factor.contract.ts';

describeAccounts('SQLite', openDatabase);
describeLogInForm('SQLite', openDatabase);
describeSecondFactor('SQLite', openDatabase);
describePasskeys('SQLite', openDatabase);
describePeople('SQLite', openDatabase);
describeProviders('SQLite', openDatabase);

async function openDatabase(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  const database = await openSqlite(join(folder, 'accounts.db'));
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  return database;
}
