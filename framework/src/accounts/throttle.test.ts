import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase, openTestInstances } from '../testing/test-folder.ts';
import { describeThrottle } from './throttle.contract.ts';
import { createThrottle } from './throttle.ts';

describeThrottle('throttle on SQLite', async (t) => ({ instances: await openTestInstances(t) }));

test('limits are whole numbers, which replace those of a kind one by one', async (t) => {
  const { database } = await openTestDatabase(t);
  for (const limits of [{ 'log-in': { account: 0 } }, { reset: { networks: [10, 0.5] } }])
    assert.throws(() => createThrottle(database, { limits }), /^TypeError: Cannot limit attempts/);
  const throttle = createThrottle(database, { limits: { reset: { account: 1 } } });
  const one = { kind: 'reset', account: 'ada', networks: ['192.0.2.1'], device: null } as const;
  const begun = await throttle.begin(one);
  await throttle.end(one, begun.kind === 'begun' ? begun.id : '', true);
  assert.ok((await throttle.secondsToWait(one)) > 3_590);
});

test('a refused attempt only reads, and one query whatever it is at', async (t) => {
  const { database } = await openTestDatabase(t);
  let [reads, writes] = [0, 0];
  const counted = {
    ...database,
    read: {
      run: (...given: Parameters<typeof database.read.run>) => {
        reads++;
        return database.read.run(...given);
      },
    } as typeof database.read,
    write: ((work) => {
      writes++;
      return database.write(work);
    }) as typeof database.write,
  };
  const throttle = createThrottle(counted);
  const one = { kind: 'log-in', account: 'ada', networks: ['192.0.2.1'], device: null } as const;
  await throttle.secondsToWait(one);
  for (const attempt of [one, { ...one, account: 'nobody' }, { ...one, device: 'd1' }]) {
    [reads, writes] = [0, 0];
    await throttle.secondsToWait(attempt);
    assert.deepEqual([reads, writes], [1, 0]);
  }
});
