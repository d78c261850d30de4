/**
 * What known devices must do on every engine, and in every table: the test file of each passes a function that opens
 * an empty database twice, as two instances do, with the accounts 1 and 2 if its table needs them.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { toTokenKey } from '../session/token.ts';
import { createDevices, type Devices } from './devices.ts';
import { createClock, type OpenedInstances } from './throttle.contract.ts';
import { createThrottle } from './throttle.ts';

const DAY = 86_400;

/** Registers the tests. */
export function describeDevices(
  name: string,
  open: (t: TestContext) => Promise<OpenedInstances>,
): void {
  const check = (
    behaviour: string,
    run: (opened: {
      readonly devices: Devices;
      /** Of another instance. */
      readonly elsewhere: Devices;
      readonly database: Database;
      readonly clock: ReturnType<typeof createClock>;
      readonly listKeys: () => Promise<readonly string[]>;
      readonly dump: () => Promise<string>;
    }) => Promise<void>,
  ) =>
    test(`${name}: ${behaviour}`, async (t) => {
      const { instances, table } = await open(t);
      const clock = createClock();
      const [devices, elsewhere] = instances.map((database) =>
        createDevices(database, { now: clock.now, ...(table === undefined ? {} : { table }) }),
      ) as [Devices, Devices];
      const [database] = instances;
      const select = `select * from ${table ?? 'seeother_account_devices'}`;
      const list = async () => (await database.read.run<{ readonly key: string }>(select)).rows;
      await run({
        devices,
        elsewhere,
        database,
        clock,
        listKeys: async () => (await list()).map(({ key }) => key),
        dump: async () => JSON.stringify(await list()),
      });
    });

  check(
    'a browser that has logged in is a device of only that account, by the hash of its token',
    async (opened) => {
      const { devices, elsewhere, dump } = opened;
      const token = await devices.renew(null, 1);
      assert.match(token, /^[\w-]{43}$/);
      assert.equal(await elsewhere.find(token, 1), toTokenKey(token));
      for (const other of [2, 3, null]) assert.equal(await devices.find(token, other), null);
      assert.equal((await dump()).includes(token), false);
    },
  );

  check('an unknown token is not a device', async ({ devices }) => {
    const token = await devices.renew(null, 1);
    for (const other of [null, '', 'x', toTokenKey(token), 'A'.repeat(43)])
      assert.equal(await devices.find(other, 1), null);
  });

  check(
    'each log-in creates a new token, and the old one is invalid for every account',
    async (opened) => {
      const { devices, elsewhere, listKeys } = opened;
      const first = await devices.renew(null, 1);
      const second = await devices.renew(first, 1);
      assert.notEqual(second, first);
      assert.equal(await elsewhere.find(first, 1), null);
      await elsewhere.renew(second, 2);
      assert.equal(await devices.find(second, 1), null);
      assert.equal((await listKeys()).length, 1);
    },
  );

  check(
    'an account has ten devices; a further one deletes the least recently used',
    async (opened) => {
      const { devices, clock } = opened;
      const other = await devices.renew(null, 2);
      const tokens: string[] = [];
      for (let count = 0; count < 11; count++) {
        clock.pass(1);
        tokens.push(await devices.renew(null, 1));
      }
      const known = await Promise.all(tokens.map((token) => devices.find(token, 1)));
      assert.deepEqual(
        known.map((key) => key !== null),
        [false, ...Array(10).fill(true)],
      );
      assert.notEqual(await devices.find(other, 2), null);
    },
  );

  check('fifteen log-ins at once on two instances leave ten devices', async (opened) => {
    const { devices, elsewhere, listKeys } = opened;
    await Promise.all(
      Array.from({ length: 15 }, (_, at) => (at % 2 === 0 ? devices : elsewhere).renew(null, 1)),
    );
    assert.equal((await listKeys()).length, 10);
  });

  check('a device expires after a year without a log-in', async ({ devices, clock }) => {
    const token = await devices.renew(null, 1);
    clock.pass(365 * DAY - 1);
    assert.notEqual(await devices.find(token, 1), null);
    clock.pass(1);
    assert.equal(await devices.find(token, 1), null);
  });

  check('the devices of an account can be deleted, with their failed attempts', async (opened) => {
    const { database, devices, clock } = opened;
    const throttle = createThrottle(database, { now: clock.now });
    const [mine, others] = [await devices.renew(null, 1), await devices.renew(null, 2)];
    const device = await devices.find(mine, 1);
    const attempt = { account: 'ada', networks: ['192.0.2.1'], device };
    await throttle.begin({ kind: 'log-in', ...attempt });
    await throttle.begin({ kind: 'second factor', ...attempt });
    await database.write(async (transaction) => {
      const keys = await devices.forget(1, transaction);
      await throttle.forget({ account: 'ada', kinds: [], devices: keys }, transaction);
    });
    assert.equal(await devices.find(mine, 1), null);
    assert.notEqual(await devices.find(others, 2), null);
    const { rows } = await database.read.run('select * from seeother_failed_attempts');
    assert.deepEqual(rows, []);
  });

  check('a first log-in that is rolled back leaves a second one the table', async (opened) => {
    const { devices, elsewhere, database, listKeys } = opened;
    const rolledBack = database.write(async (transaction) => {
      await devices.renew(null, 1, transaction);
      throw new Error('rolled back');
    });
    await assert.rejects(rolledBack, /rolled back/);
    await Promise.all([devices.renew(null, 1), elsewhere.renew(null, 1)]);
    assert.equal((await listKeys()).length, 2);
  });

  check('a log-in that is rolled back leaves the old token', async ({ devices, database }) => {
    const token = await devices.renew(null, 1);
    const rolledBack = database.write(async (transaction) => {
      await devices.renew(token, 1, transaction);
      throw new Error('rolled back');
    });
    await assert.rejects(rolledBack, /rolled back/);
    assert.notEqual(await devices.find(token, 1), null);
  });
}
