/** The framework's throttle and devices on both engines, in tables of their own and in those of the application. */

import type { TestContext } from 'node:test';
import { describeDevices } from '../../framework/src/accounts/devices.contract.ts';
import { describeThrottle } from '../../framework/src/accounts/throttle.contract.ts';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import {
  addAccount,
  ENGINES,
  openAnother,
  openTestDatabase,
} from '../testing/open-test-database.ts';

for (const { engine, name, skip } of ENGINES) {
  if (skip) continue;
  const openBare = async (t: TestContext) => {
    const { open } = await createBareDatabase(t, engine);
    return { instances: [await open(), await open()] as const };
  };
  /** With the accounts 1 and 2. */
  const openOwn = async (t: TestContext) => {
    const database = await openTestDatabase(t, engine);
    await addAccount(database, 1, 'ada');
    await addAccount(database, 2, 'bo');
    const other = await openAnother(t, database);
    return { instances: [database.door, other.door] as const };
  };

  describeThrottle(`throttle on ${name}`, openBare);
  describeThrottle(`throttle in the table of the application on ${name}`, async (t) => ({
    ...(await openOwn(t)),
    table: 'failed_log_ins',
  }));
  describeDevices(`devices on ${name}`, openBare);
  describeDevices(`devices in the table of the application on ${name}`, async (t) => ({
    ...(await openOwn(t)),
    table: 'devices',
  }));
}
