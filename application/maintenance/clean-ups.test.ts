import assert from 'node:assert/strict';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { openAnother, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createCleanUps } from './clean-ups.ts';

const NO_FILES = { remove: async () => {} };

testOnEngines(
  'an ended session is removed on the second night, by one of two instances',
  async (t) => {
    const database = await openTestDatabase(t);
    await createMember(await createTestApplication(t, { database }));
    const count = async () =>
      (await database.read.selectFrom('sessions').select('key').execute()).length;
    assert.equal(await count(), 1);
    let now = new Date();
    const report = ({ message }: { readonly message: string }) => assert.fail(message);
    const databases = [database, await openAnother(t, database)];
    const instances = databases.map((one) => createCleanUps(one, NO_FILES, report, () => now));
    // The session ends after 30 days at the latest.
    for (const days of [0, 40, 41]) {
      now = new Date(Date.now() + days * 86_400_000);
      await Promise.all(instances.map(({ run }) => run(now)));
      assert.equal(await count(), days < 41 ? 1 : 0, `after ${days} days`);
    }
  },
);
