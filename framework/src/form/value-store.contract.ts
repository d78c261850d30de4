/**
 * The contract suite of value stores. The test file of an implementation passes a function that creates empty stores.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { StoreTest } from '../session/store-test.ts';
import type { ValueStore } from './value-store.ts';

/** Registers the tests that every value store must pass. `createStore` makes an empty store for each test. */
export function describeValueStore<Transaction>(
  name: string,
  createStore: (t: StoreTest) => Awaitable<ValueStore<Transaction>>,
): void {
  const check = (
    behaviour: string,
    run: (store: ValueStore<Transaction>) => Promise<void>,
  ): Promise<void> =>
    test(`${name}: ${behaviour}`, async (t) => {
      await run(await createStore(t));
    });

  check('finds what was stored, and nothing before or after', async (store) => {
    const value = { name: 'Ada “Ä” \u0007', list: [1, null, { deep: true }] };
    assert.equal(await store.find('a'), null);
    await store.put('a', value, null);
    assert.deepEqual(await store.find('a'), value);
    assert.equal(await store.find('A'), null);
    await store.remove('a');
    assert.equal(await store.find('a'), null);
    await store.remove('a');
  });

  check('replaces a value and its expiry', async (store) => {
    await store.put('a', 1, new Date(Date.now() - 1));
    await store.put('a', [2], null);
    assert.deepEqual(await store.find('a'), [2]);
    await store.put('a', 3, new Date(Date.now() - 1));
    assert.equal(await store.find('a'), null);
  });

  check('finds a value until its expiry', async (store) => {
    await store.put('soon', 1, new Date(Date.now() + 60_000));
    await store.put('over', 1, new Date());
    await store.put('new', 1, null);
    assert.equal(await store.find('soon'), 1);
    assert.equal(await store.find('over'), null);
  });
}
