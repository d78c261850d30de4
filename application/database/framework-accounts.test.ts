/**
 * Log-ins of the framework's accounts that meet, on PostgreSQL. attacks.test.ts of the framework runs the same on
 * SQLite; framework-accounts.release.test.ts has the other contracts.
 */

import type { TestContext } from 'node:test';
import { describeLogIn } from '../../framework/src/accounts/log-in.contract.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

for (const { engine, name, skip } of ENGINES) {
  if (skip || engine === 'sqlite') continue;
  describeLogIn(name, async (t: TestContext) => (await createBareDatabase(t, engine)).open);
}
