import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { toTokenKey } from 'seeother';
import { CHEAP } from '../testing/cheap-passwords.ts';
import { createClock } from '../testing/create-clock.ts';
import { copyDatabase } from '../testing/dump-database.ts';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createAccounts } from './account.ts';
import { createInvitations } from './invitation.ts';
import { toPublicId } from './public-id.ts';

const DAY = 86_400;
const BO = { username: 'bo', password: 'battery staple' };
const CY = { username: 'cy', password: 'battery staple' };

async function openInvitations(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, 99, 'ada');
  const clock = createClock();
  const invitations = createInvitations(database, clock.now);
  return {
    database,
    clock,
    invitations,
    accounts: createAccounts(database, { now: clock.now, passwords: CHEAP }),
    invite: (createdBy: number | null = 99) =>
      database.write((transaction) => invitations.create(transaction, createdBy)),
    countRows: async () =>
      (await database.read.selectFrom('invitations').select('key').execute()).length,
  };
}

testOnEngines('an invitation is open for seven days and creates one account', async (t) => {
  const { invitations, accounts, invite, countRows } = await openInvitations(t);
  const { token, endsAt } = await invite();
  assert.equal(endsAt.toISOString(), '2026-11-27T12:00:00.000Z');
  assert.equal(await invitations.isOpen(token), true);
  assert.equal((await accounts.registerInvited(BO, token)).kind, 'registered');
  assert.equal(await invitations.isOpen(token), false);
  assert.equal(await countRows(), 0);
  assert.deepEqual(await accounts.registerInvited(CY, token), { kind: 'closed' });
  assert.equal(await accounts.authenticate(CY), null);
});

testOnEngines('of two concurrent registrations with one invitation, one succeeds', async (t) => {
  const { accounts, invite } = await openInvitations(t);
  const { token } = await invite();
  const results = await Promise.all([BO, CY].map((one) => accounts.registerInvited(one, token)));
  assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['closed', 'registered']);
});

testOnEngines('after seven days an invitation is not valid', async (t) => {
  const { invitations, accounts, invite, clock } = await openInvitations(t);
  const { token } = await invite();
  clock.pass(7 * DAY - 1);
  assert.equal(await invitations.isOpen(token), true);
  clock.pass(1);
  assert.equal(await invitations.isOpen(token), false);
  assert.deepEqual(await invitations.list(), []);
  assert.equal(await invitations.withdraw(toPublicId(toTokenKey(token))), false);
  assert.deepEqual(await accounts.registerInvited(BO, token), { kind: 'closed' });
});

testOnEngines('text that is not a token, or the key of one, is not valid', async (t) => {
  const { invitations, accounts, invite } = await openInvitations(t);
  const { token } = await invite();
  const others = [
    '',
    'x',
    toTokenKey(token),
    token.toLowerCase(),
    `${token}=`,
    'A'.repeat(43),
    '%',
  ];
  for (const other of others) {
    assert.equal(await invitations.isOpen(other), false, other);
    assert.deepEqual(await accounts.registerInvited(BO, other), { kind: 'closed' }, other);
  }
});

testOnEngines('the token is stored for its maker alone; without one, its hash', async (t) => {
  const { database, invitations, invite } = await openInvitations(t);
  const { token } = await invite(null);
  const bytes = await copyDatabase(database.url);
  assert.equal(bytes.includes(toTokenKey(token)), true);
  assert.equal(bytes.includes(token), false);

  const made = await invite(99);
  const tokensFor = async (id: number) => (await invitations.list(id)).map((one) => one.token);
  assert.deepEqual(await tokensFor(99), [null, made.token]);
  assert.deepEqual(await tokensFor(98), [null, null]);
});

testOnEngines(
  'open invitations are listed, oldest first, with an id that reveals neither key nor token',
  async (t) => {
    const { invitations, invite, clock } = await openInvitations(t);
    const { token } = await invite();
    clock.pass(60);
    await invite(null);
    const [first, second] = await invitations.list();
    assert.equal(first?.createdBy, 'ada');
    assert.equal(second?.createdBy, null);
    assert.match(first?.id ?? '', /^[\w-]{22}$/);
    const secrets = [
      token,
      toTokenKey(token),
      Buffer.from(toTokenKey(token), 'hex').toString('base64url'),
    ];
    for (const secret of secrets) assert.equal(secret.includes(first?.id ?? secret), false);
  },
);

testOnEngines('an invitation can be withdrawn, once', async (t) => {
  const { clock, invitations, accounts, invite } = await openInvitations(t);
  const { token } = await invite();
  clock.pass(1);
  const other = await invite();
  const { id = '' } = (await invitations.list())[0] ?? {};
  for (const wrong of ['', 'x', toTokenKey(token), token])
    assert.equal(await invitations.withdraw(wrong), false);
  assert.equal(await invitations.withdraw(id), true);
  assert.equal(await invitations.withdraw(id), false);
  assert.deepEqual(await accounts.registerInvited(BO, token), { kind: 'closed' });
  assert.equal(await invitations.isOpen(other.token), true);
});
