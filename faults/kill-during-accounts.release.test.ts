import assert from 'node:assert/strict';
import test from 'node:test';
import { killDuringAccounts } from './kill-during-accounts.ts';
import { createSqlitePlace } from './kill-during-creates.ts';

// Once in each step. `npm run faults` kills it sixty times on each engine.
test('nobody is locked out or let in when the site is killed in a step of its accounts', async () => {
  const { unanswered: _, ...rest } = await killDuringAccounts(10, await createSqlitePlace());
  const none = { lockedOut: 0, letIn: 0, notOnce: 0, failed: 0 };
  assert.deepEqual(rest, { rounds: 10, ...none, flawed: '', integrity: 'ok' });
});
