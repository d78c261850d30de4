import assert from 'node:assert/strict';
import test from 'node:test';
import { createRequest } from '../http/request.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';
import { Parking, type ParkingPlace } from './parking.ts';

/** Places for ten files, of 1 MB together. */
const LIMIT = 1_000_000;

function createParking() {
  const records = createMemoryFileRecords();
  const parking = new Parking({ records }, LIMIT);
  const open = (address: string, owner: string | null = null, isRefused = true) =>
    parking.open({
      request: createRequest({ method: 'POST', target: '/', address }),
      owner,
      isRefused,
    });
  /** Parks a file as a form does; null if there is no place for it. */
  const park = async (
    address: string,
    bytes: number,
    owner: string | null = null,
    isRefused = true,
  ) => {
    const place = (await open(address, owner, isRefused))();
    for (let left = bytes; left > 0 && place.take(Math.min(left, 1_000)); left -= 1_000);
    if (!place.isTaken) return null;
    parking.settle(place);
    return place;
  };
  return { records, park };
}

const count = (places: readonly (ParkingPlace | null)[]) =>
  places.filter((one) => one !== null).length;
const user = (park: ReturnType<typeof createParking>['park'], name: string, bytes: number) =>
  park('192.0.2.1', bytes, name, false);

test('sixty files at once do not pass the limit, in bytes or in files', async () => {
  for (const [bytes, most] of [
    [250_000, 4],
    [1, 10],
  ] as const) {
    const { park } = createParking();
    const sixty = Array.from({ length: 60 }, (_, at) => user(park, `user-${at}`, bytes));
    assert.equal(count(await Promise.all(sixty)), most);
    assert.equal(await user(park, 'last', 1), null);
  }
});

test('a network of visitors has a tenth, all visitors half, and users find the other half', async () => {
  const { park } = createParking();
  assert.equal(await park('192.0.2.1', 150_000), null);
  assert.notEqual(await park('192.0.2.1', 90_000), null);
  assert.equal(await park('192.0.2.1', 1), null, 'small files count too');
  // The /56 has twice as much as each /64 in it.
  const subnets = [1, 2, 3].map((subnet) => park(`2001:db8:0:${subnet}::1`, 1));
  assert.equal(count(await Promise.all(subnets)), 2);
  const others = Array.from({ length: 9 }, (_, at) => park(`198.51.100.${at}`, 1));
  assert.equal(count(await Promise.all(others)), 2);
  const users = Array.from({ length: 9 }, (_, at) => user(park, `user-${at}`, 1));
  assert.equal(count(await Promise.all(users)), 5);
});

test('the refused forms of a user have a tenth, wherever they come from', async () => {
  const { park } = createParking();
  assert.notEqual(await park('192.0.2.1', 90_000, 'ada'), null);
  assert.equal(await park('198.51.100.1', 1, 'ada'), null);
  assert.notEqual(await park('198.51.100.1', 1, 'ada', false), null);
});

test('what is parked already counts, and a place that is given back is free', async () => {
  const { records, park } = createParking();
  const later = new Date(Date.now() + 60_000);
  for (let at = 0; at < 9; at++)
    await records.add({ key: `${at}`, owner: 'ada', name: 'a' }, later);
  const last = await user(park, 'bo', 1);
  assert.equal(await user(park, 'bo', 1), null);
  last?.giveBack();
  last?.giveBack();
  assert.notEqual(await user(park, 'bo', 1), null);
});

test('a place of a network is free again after an hour', async (t) => {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  const { park } = createParking();
  assert.notEqual(await park('192.0.2.1', 1), null);
  now += 3_599_000;
  assert.equal(await park('192.0.2.1', 1), null);
  now += 2_000;
  assert.notEqual(await park('192.0.2.1', 1), null);
});
