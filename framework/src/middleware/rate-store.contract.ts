/**
 * The contract suite of rate stores. The test file of an implementation passes a function that creates empty stores.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { RateStore } from './rate-store.ts';

const MINUTE = 60_000;
const ADA = { key: 'ada', max: 3 };
const BO = { key: 'bo', max: 6 };

/** Registers the tests that every rate store must pass. `createStore` makes an empty store for each test. */
export function describeRateStore(
  name: string,
  createStore: (t: TestContext) => Awaitable<RateStore>,
): void {
  const check = (
    behaviour: string,
    run: (store: RateStore, clock: { readonly pass: (time: number) => void }) => Promise<void>,
  ) =>
    test(`${name}: ${behaviour}`, async (t) => {
      const store = await createStore(t);
      let now = Date.UTC(2026, 10, 23);
      t.mock.method(Date, 'now', () => now);
      await run(store, {
        pass(time) {
          now += time;
        },
      });
    });

  check(
    'a bucket has all at once, and then one after each part of the time',
    async (store, clock) => {
      for (let count = 0; count < 3; count++) assert.equal(await store.take([ADA], MINUTE), null);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 20_000 });
      clock.pass(19_999);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 1 });
      clock.pass(1);
      assert.equal(await store.take([ADA], MINUTE), null);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 20_000 });
      clock.pass(2 * MINUTE);
      for (let count = 0; count < 3; count++) assert.equal(await store.take([ADA], MINUTE), null);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 20_000 });
    },
  );

  check('takes from all buckets, or from none', async (store) => {
    for (let count = 0; count < 3; count++) assert.equal(await store.take([BO, ADA], MINUTE), null);
    for (let count = 0; count < 9; count++)
      assert.deepEqual(await store.take([BO, ADA], MINUTE), { key: 'ada', wait: 20_000 });
    for (let count = 0; count < 3; count++) assert.equal(await store.take([BO], MINUTE), null);
    assert.deepEqual(await store.take([BO], MINUTE), { key: 'bo', wait: 10_000 });
  });

  check('gives back to the same buckets', async (store) => {
    for (let count = 0; count < 3; count++) await store.take([ADA, BO], MINUTE);
    await store.giveBack([ADA, BO], MINUTE);
    await store.giveBack([{ key: 'nobody', max: 1 }], MINUTE);
    assert.equal(await store.take([ADA, BO], MINUTE), null);
    assert.notEqual(await store.take([ADA, BO], MINUTE), null);
  });

  check('requests at once take no more than there are', async (store) => {
    const buckets = Array.from({ length: 20 }, () => [BO, { key: 'all', max: 9 }]);
    const taken = await Promise.all(buckets.map((both) => store.take(both, MINUTE)));
    assert.equal(taken.filter((empty) => empty === null).length, 6);
  });

  check(
    'a clock that is set back by hours refuses nothing, and by seconds not for long',
    async (store, clock) => {
      for (let count = 0; count < 3; count++) await store.take([ADA], MINUTE);
      clock.pass(-10_000);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 30_000 });
      clock.pass(-3_600_000);
      for (let count = 0; count < 3; count++) assert.equal(await store.take([ADA], MINUTE), null);
      assert.deepEqual(await store.take([ADA], MINUTE), { key: 'ada', wait: 20_000 });
    },
  );
}
