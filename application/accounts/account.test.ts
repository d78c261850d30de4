import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { CHEAP } from '../testing/cheap-passwords.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createAccounts } from './account.ts';

const ADA = { username: 'Ada', password: 'correct horse' };
const BO = { username: 'bo', password: 'battery staple' };

async function openAccounts(t: TestContext) {
  const database = await openTestDatabase(t);
  return { database, accounts: createAccounts(database, { passwords: CHEAP }) };
}

testOnEngines('a username is compared without case and shown as it was registered', async (t) => {
  const { accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  const found = await accounts.authenticate({ ...ADA, username: 'aDA' });
  assert.equal(found?.username, 'Ada');
  const taken = await accounts.register({ ...BO, username: 'ADA' }, false);
  assert.deepEqual(taken, { kind: 'taken' });
});

testOnEngines('a registration with a taken name uses up no number', async (t) => {
  const { accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  await accounts.register(ADA, false);
  const result = await accounts.register(BO, false);
  assert.equal(result.kind === 'registered' && result.account.id, 2);
});

testOnEngines('of concurrent registrations with one name, one succeeds', async (t) => {
  const { accounts } = await openAccounts(t);
  const tries = [ADA, { ...ADA, username: 'ada' }, { ...ADA, username: 'ADA' }];
  const results = await Promise.all(tries.map((one) => accounts.register(one, false)));
  const kinds = results.map(({ kind }) => kind).toSorted();
  assert.deepEqual(kinds, ['registered', 'taken', 'taken']);
});

testOnEngines('of concurrent first registrations, one succeeds', async (t) => {
  const { database, accounts } = await openAccounts(t);
  const results = await Promise.all([accounts.register(ADA, true), accounts.register(BO, true)]);
  assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['closed', 'registered']);
  const stored = await database.read.selectFrom('accounts').select('id').execute();
  assert.equal(stored.length, 1);
});

testOnEngines('the database holds no password', async (t) => {
  const { database, accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  const rows = await database.read.selectFrom('accounts').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.equal(JSON.stringify(rows).includes(ADA.password), false);
  assert.match(rows[0]?.password_hash ?? '', /^\$argon2id\$/);
});
