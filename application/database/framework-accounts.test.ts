/**
 * The accounts of the framework on PostgreSQL: their ways, and log-ins that meet. accounts.test.ts and attacks.test.ts
 * of the framework run the same on SQLite; framework-accounts.release.test.ts has the other contracts.
 */

import type { TestContext } from 'node:test';
import { describeAccounts } from '../../framework/src/accounts/accounts.contract.ts';
import { describeLogIn } from '../../framework/src/accounts/log-in.contract.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

for (const { engine, name, skip } of ENGINES) {
  if (skip || engine === 'sqlite') continue;
  const openInstances = async (t: TestContext) => (await createBareDatabase(t, engine)).open;
  describeAccounts(name, async (t) => (await openInstances(t))());
  describeLogIn(name, openInstances);
}
