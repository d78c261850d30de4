import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase } from '../testing/test-folder.ts';
import { accountStatements, sessionIdIn, TABLES } from './account-tables.ts';

test('a log-out that names a session finds it by an index', async (t) => {
  const { database } = await openTestDatabase(t);
  await database.write(async ({ run }) => {
    for (const sql of accountStatements('sqlite')) await run(sql);
  });
  const { rows } = await database.read.run<{ readonly detail: string }>(
    `explain query plan select data from ${TABLES.tokens}
      where kind = 'provider session' and ${sessionIdIn('sqlite')} = ?`,
    ['s1'],
  );
  assert.match(rows[0]?.detail ?? '', /USING INDEX \w+_by_provider_session/);
});
