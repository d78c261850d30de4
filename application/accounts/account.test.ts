import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { CHEAP } from '../testing/cheap-passwords.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createAccounts } from './account.ts';

const ADA = { username: 'Ada', password: 'correct horse' };
const BO = { username: 'bo', password: 'battery staple' };

async function openAccounts(t: TestContext) {
  const database = await openTestDatabase(t);
  return { database, accounts: createAccounts(database, { passwordCost: CHEAP }) };
}

testOnEngines('a registered account can be authenticated with its name and password', async (t) => {
  const { accounts } = await openAccounts(t);
  const result = await accounts.register(ADA, false);
  const account = result.kind === 'registered' ? result.account : assert.fail(result.kind);
  assert.deepEqual([account.id, account.username], [1, 'Ada']);
  assert.deepEqual(await accounts.authenticate(ADA), account);
});

testOnEngines('accounts are empty until one is registered', async (t) => {
  const { accounts } = await openAccounts(t);
  assert.equal(await accounts.isEmpty(), true);
  await accounts.register(ADA, true);
  assert.equal(await accounts.isEmpty(), false);
});

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

testOnEngines('a first registration fails once there is an account', async (t) => {
  const { accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  assert.deepEqual(await accounts.register(BO, true), { kind: 'closed' });
  assert.equal(await accounts.authenticate(BO), null);
});

testOnEngines('a wrong password and an unknown name both give null', async (t) => {
  const { accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  await accounts.register(BO, false);
  assert.equal(await accounts.authenticate({ ...ADA, password: 'correct hors' }), null);
  assert.equal(await accounts.authenticate({ ...ADA, password: BO.password }), null);
  assert.equal(await accounts.authenticate({ ...ADA, username: 'nobody' }), null);
  assert.equal(await accounts.authenticate({ username: "' or 1=1 --", password: '' }), null);
});

testOnEngines('the database holds no password', async (t) => {
  const { database, accounts } = await openAccounts(t);
  await accounts.register(ADA, false);
  const rows = await database.read.selectFrom('accounts').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.equal(JSON.stringify(rows).includes(ADA.password), false);
  assert.match(rows[0]?.password_hash ?? '', /^\$argon2id\$/);
});
