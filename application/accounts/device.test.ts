import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { toTokenKey } from 'seeother';
import { createClock } from '../testing/create-clock.ts';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createDevices, forgetDevices } from './device.ts';
import { createLogInThrottle } from './log-in-throttle.ts';

const DAY = 86_400;

async function openDevices(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, 1, 'ada');
  await addAccount(database, 2, 'bo');
  const clock = createClock();
  return {
    database,
    clock,
    devices: createDevices(database, clock.now),
    countRows: async () =>
      (await database.read.selectFrom('devices').select('key').execute()).length,
  };
}

testOnEngines(
  'a browser that has logged in is a device of only that account, by the hash of its token',
  async (t) => {
    const { devices, database } = await openDevices(t);
    const token = await devices.renew(null, 1);
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(await devices.find(token, 'ADA'), toTokenKey(token));
    assert.equal(await devices.find(token, 'bo'), null);
    assert.equal(await devices.find(token, 'nobody'), null);
    const rows = await database.read.selectFrom('devices').selectAll().execute();
    assert.equal(JSON.stringify(rows).includes(token), false);
  },
);

testOnEngines('an unknown token is not a device', async (t) => {
  const { devices } = await openDevices(t);
  const token = await devices.renew(null, 1);
  for (const other of [null, '', 'x', toTokenKey(token), 'A'.repeat(43)])
    assert.equal(await devices.find(other, 'ada'), null);
});

testOnEngines(
  'each log-in creates a new token, and the old one is invalid for every account',
  async (t) => {
    const { devices, countRows } = await openDevices(t);
    const first = await devices.renew(null, 1);
    const second = await devices.renew(first, 1);
    assert.notEqual(second, first);
    assert.equal(await devices.find(first, 'ada'), null);
    await devices.renew(second, 2);
    assert.equal(await devices.find(second, 'ada'), null);
    assert.equal(await countRows(), 1);
  },
);

testOnEngines(
  'an account has ten devices; a further one deletes the least recently used',
  async (t) => {
    const { devices, clock } = await openDevices(t);
    const other = await devices.renew(null, 2);
    const tokens: string[] = [];
    for (let count = 0; count < 11; count++) {
      clock.pass(1);
      tokens.push(await devices.renew(null, 1));
    }
    const known = await Promise.all(tokens.map((token) => devices.find(token, 'ada')));
    assert.deepEqual(
      known.map((key) => key !== null),
      [false, ...Array(10).fill(true)],
    );
    assert.notEqual(await devices.find(other, 'bo'), null);
  },
);

testOnEngines('a device expires after a year without a log-in', async (t) => {
  const { devices, clock } = await openDevices(t);
  const token = await devices.renew(null, 1);
  clock.pass(365 * DAY - 1);
  assert.notEqual(await devices.find(token, 'ada'), null);
  clock.pass(1);
  assert.equal(await devices.find(token, 'ada'), null);
});

testOnEngines('the devices of an account can be deleted, with their failed log-ins', async (t) => {
  const { database, devices, clock } = await openDevices(t);
  const throttle = createLogInThrottle(database, clock.now);
  const [mine, others] = [await devices.renew(null, 1), await devices.renew(null, 2)];
  const device = await devices.find(mine, 'ada');
  await throttle.begin({ username: 'ada', networks: ['192.0.2.1'], device });
  await database.write((transaction) => forgetDevices(transaction, 1));
  assert.equal(await devices.find(mine, 'ada'), null);
  assert.notEqual(await devices.find(others, 'bo'), null);
  assert.deepEqual(await database.read.selectFrom('failed_log_ins').selectAll().execute(), []);
});
