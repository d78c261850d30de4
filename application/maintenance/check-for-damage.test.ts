import assert from 'node:assert/strict';
import test from 'node:test';
import { createDamagedFile } from '../testing/create-damaged-file.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { checkForDamage } from './damage.ts';

async function reportsOf(file: string): Promise<readonly string[]> {
  const reports: string[] = [];
  await checkForDamage(file, ({ message }) => reports.push(message));
  return reports;
}

test('an intact database that is in use is not reported', async (t) => {
  const { file } = await openTestDatabase(t, 'sqlite');
  assert.deepEqual(await reportsOf(file), []);
});

test('an index that differs from its table is reported, and so is a check that fails', async (t) => {
  const file = await createDamagedFile(t);
  const reports = [...(await reportsOf(file)), ...(await reportsOf(`${file}.none`))];
  assert.equal(reports.length, 2);
  assert.match(
    reports[0] ?? '',
    /is damaged: .*items_by_name_key\. Restore the last good backup\.$/,
  );
  assert.match(reports[1] ?? '', /^Cannot check the database .+\.none for damage\.$/);
});
