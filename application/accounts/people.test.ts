import assert from 'node:assert/strict';
import type { Session } from 'seeother';
import type { Role } from '../site/role.ts';
import type { SessionUser } from '../site/session-user.ts';
import {
  addAccount,
  openAnother,
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { createInvitations } from './invitation.ts';
import { createLogInLimits } from './log-in-limits.ts';
import { createPeople } from './people.ts';
import { openStores } from './stores.ts';

async function openWith(t: Parameters<typeof openTestDatabase>[0], ...roles: readonly Role[]) {
  const database = await openTestDatabase(t);
  const people = createPeople(database);
  const sessions = openStores(database).sessions;
  for (const [index, role] of roles.entries()) {
    await addAccount(database, index + 1, `user-${index + 1}`);
    await setStoredRole(database, index + 1, role);
    await sessions.create(sessionOf(index + 1, role), null);
  }
  return { database, people };
}

function by(id: number) {
  return { id, sessionKey: `session-${id}` };
}

function sessionOf(id: number, role: Role): Session<SessionUser> {
  const [startedAt, endsAt] = [new Date(), new Date(Date.now() + 60_000)];
  return {
    key: by(id).sessionKey,
    user: { id, name: `user-${id}`, role },
    startedAt,
    seenAt: startedAt,
    endsAt,
    remembered: false,
    agent: '',
    address: '',
    flashes: [],
    draft: null,
    superseded: false,
  };
}

function setStoredRole(database: TestDatabase, id: number, role: string) {
  return database.write((transaction) =>
    transaction.updateTable('accounts').set({ role }).where('id', '=', id).execute(),
  );
}

testOnEngines('the last administrator is neither removed nor given another role', async (t) => {
  const { people } = await openWith(t, 'administrator', 'member');
  assert.equal((await people.setRole(null, 1, 'member')).kind, 'last administrator');
  assert.equal((await people.setRemoved(null, 1, true)).kind, 'last administrator');
  assert.equal((await people.setRole(by(1), 2, 'administrator')).kind, 'changed');
  assert.equal((await people.setRemoved(by(1), 2, true)).kind, 'changed');
  assert.equal((await people.setRole(null, 1, 'reader')).kind, 'last administrator', 'one removed');
  assert.deepEqual(await people.administrators(), ['user-1']);
});

testOnEngines('of administrators who leave at once, in two instances, one remains', async (t) => {
  const { database, people } = await openWith(t, ...Array(8).fill('administrator'));
  const other = createPeople(await openAnother(t, database));
  const leave = (id: number) => {
    const one = id % 2 === 0 ? people : other;
    return id % 3 === 0 ? one.setRemoved(by(id), id, true) : one.setRole(by(id), id, 'member');
  };
  const done = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(leave));
  assert.equal(done.filter(({ kind }) => kind === 'changed').length, 7);
  assert.equal(done.filter(({ kind }) => kind === 'last administrator').length, 1);
  assert.equal((await people.administrators()).length, 1);
});

testOnEngines('of two administrators who remove each other at once, one remains', async (t) => {
  const { database, people } = await openWith(t, 'administrator', 'administrator');
  const other = createPeople(await openAnother(t, database));
  const done = await Promise.all([
    people.setRemoved(by(1), 2, true),
    other.setRemoved(by(2), 1, true),
  ]);
  assert.deepEqual(done.map(({ kind }) => kind).toSorted(), ['changed', 'not allowed']);
  assert.equal((await people.administrators()).length, 1);
});

testOnEngines('only an administrator who is not removed manages people', async (t) => {
  const { people } = await openWith(t, 'administrator', 'member', 'reader', 'administrator');
  await people.setRemoved(by(1), 4, true);
  for (const actor of [2, 3, 4, 9]) {
    assert.equal((await people.setRole(by(actor), 2, 'administrator')).kind, 'not allowed');
    assert.equal((await people.setRemoved(by(actor), 3, true)).kind, 'not allowed');
  }
  const ended = { id: 1, sessionKey: 'ended' };
  assert.equal((await people.setRole(ended, 2, 'reader')).kind, 'not allowed');
  assert.equal((await people.setRole(by(1), 9, 'reader')).kind, 'unknown');
  assert.equal((await people.setRole(by(1), 2, 'member')).kind, 'unchanged');
});

testOnEngines('the links of a person go with their role and with their account', async (t) => {
  const { database, people } = await openWith(t, 'administrator', 'administrator', 'administrator');
  const invitations = createInvitations(database);
  for (const id of [1, 2, 3])
    await database.write((transaction) => invitations.create(transaction, id));
  const makers = async () => (await invitations.list()).map(({ createdBy }) => createdBy);
  await people.setRole(by(1), 2, 'reader');
  assert.deepEqual(await makers(), ['user-1', 'user-3']);
  await people.setRemoved(by(1), 3, true);
  assert.deepEqual(await makers(), ['user-1']);
});

testOnEngines(
  'a removed person loses their devices, with the failed log-ins of these',
  async (t) => {
    const { database, people } = await openWith(t, 'administrator', 'member', 'member');
    const { devices, throttle } = createLogInLimits(database);
    const [removed, other] = [await devices.renew(null, 2), await devices.renew(null, 3)];
    for (const [id, token] of [
      [2, removed],
      [3, other],
    ] as const) {
      const device = await devices.find(token, id);
      await throttle.begin({ kind: 'log-in', account: `user-${id}`, networks: [], device });
    }
    await throttle.begin({ kind: 'log-in', account: 'user-2', networks: [], device: null });
    await people.setRemoved(by(1), 2, true);
    assert.equal(await devices.find(removed, 2), null);
    const left = await devices.find(other, 3);
    assert.notEqual(left, null);
    const rows = await database.read.selectFrom('failed_log_ins').select('subject').execute();
    assert.deepEqual(rows.map(({ subject }) => subject).toSorted(), [
      'account:user-2',
      `device:${left}`,
    ]);
  },
);
