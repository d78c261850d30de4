import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { seeOther } from '../http/response.ts';
import { get } from '../testing/make-request.ts';
import { openTestDatabase, openTestInstances } from '../testing/test-folder.ts';
import { readDevice, withDevice } from './device-cookie.ts';
import { describeDevices } from './devices.contract.ts';
import { createDevices } from './devices.ts';
import { createClock } from './throttle.contract.ts';

describeDevices('devices on SQLite', async (t) => ({ instances: await openTestInstances(t) }));

test('expired devices are removed from the table of the framework', async (t) => {
  const { database } = await openTestDatabase(t);
  const clock = createClock();
  const devices = createDevices(database, { now: clock.now });
  await devices.renew(null, 1);
  clock.pass(366 * 86_400);
  await devices.renew(null, 2);
  const { rows } = await database.read.run('select account_id from seeother_account_devices');
  assert.deepEqual(rows, [{ account_id: 2 }]);
});

test('to find a device takes one query, whatever the browser and the account are', async (t) => {
  const { database } = await openTestDatabase(t);
  let reads = 0;
  const devices = createDevices({
    ...database,
    read: {
      run: (...given: Parameters<typeof database.read.run>) => {
        reads++;
        return database.read.run(...given);
      },
    } as typeof database.read,
  });
  const token = await devices.renew(null, 1);
  for (const sent of [token, null, '', 'A'.repeat(43)]) {
    for (const accountId of [1, 2, null]) {
      reads = 0;
      await devices.find(sent, accountId);
      assert.equal(reads, 1, `${sent} ${accountId}`);
    }
  }
});

const TOKEN = 'a'.repeat(43);

test('the cookie of a device lasts a year, for no script, and over https with __Host-', () => {
  const lineOver = (scheme: 'http' | 'https') =>
    withDevice(seeOther(localPath('/')), get('/', { scheme }), TOKEN).headers['Set-Cookie'];
  assert.deepEqual(lineOver('http'), [
    `device=${TOKEN}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`,
  ]);
  assert.deepEqual(lineOver('https'), [
    `__Host-device=${TOKEN}; Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax`,
  ]);
});

test('of two device cookies none counts, because one may be planted', () => {
  const read = (cookie: string) => readDevice(get('/', { headers: { cookie } }));
  assert.equal(read(`sid=x; device=${TOKEN}`), TOKEN);
  assert.equal(read('sid=x'), null);
  assert.equal(read(`device=${TOKEN}; device=${'b'.repeat(43)}`), null);
  assert.equal(read(`device=${'b'.repeat(43)}; device=${TOKEN}`), null);
  assert.equal(read(`device=${TOKEN}; device=${TOKEN}`), null);
});

test('over https, a device cookie without the prefix __Host- is ignored', () => {
  const read = (cookie: string) => readDevice(get('/', { headers: { cookie }, scheme: 'https' }));
  assert.equal(read(`__Host-device=${TOKEN}`), TOKEN);
  assert.equal(read(`device=${TOKEN}`), null);
});
