/** The other contracts of the framework's accounts on PostgreSQL, beside those of framework-accounts.test.ts. */

import type { TestContext } from 'node:test';
import { describeAccounts } from '../../framework/src/accounts/accounts.contract.ts';
import { describeLinkAttacks } from '../../framework/src/accounts/link-attacks.contract.ts';
import { describeLogInForm } from '../../framework/src/accounts/log-in-form.contract.ts';
import { describePasskeys } from '../../framework/src/accounts/passkeys.contract.ts';
import { describePeople } from '../../framework/src/accounts/people.contract.ts';
import { describeProviders } from '../../framework/src/accounts/providers.contract.ts';
import { describeSecondFactor } from '../../framework/src/accounts/second-factor.contract.ts';
import { describeSecondFactorAttacks } from '../../framework/src/accounts/second-factor-attacks.contract.ts';
import { describeSessionAttacks } from '../../framework/src/accounts/session-attacks.contract.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

for (const { engine, name, skip } of ENGINES) {
  if (skip || engine === 'sqlite') continue;
  const openInstances = async (t: TestContext) => (await createBareDatabase(t, engine)).open;
  const open = async (t: TestContext) => (await openInstances(t))();
  describeAccounts(name, open);
  describeLogInForm(name, open);
  describeSecondFactor(name, open);
  describeProviders(name, open);
  describeSecondFactorAttacks(name, openInstances);
  describeLinkAttacks(name, openInstances);
  describeSessionAttacks(name, openInstances);
  describePasskeys(name, open);
  describePeople(name, open);
}
