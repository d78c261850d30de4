/**
 * The contract suite of receipt stores. The test file of an implementation passes a function that
 * creates empty stores. `write` stores a text in the transaction, and `written` reads the stored
 * texts. The owners are the ids of two users.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { StoreTest } from '../session/store-test.ts';
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

export interface ReceiptStoreUnderTest<Transaction> {
  readonly store: ReceiptStore<Transaction>;
  readonly write: (transaction: Transaction, text: string) => Awaitable<void>;
  readonly written: () => Awaitable<readonly string[]>;
}

/**
 * Registers the tests that every receipt store must pass. `createStore` makes an empty store for each test,
 * with a function that writes a text in a transaction, and one that reads what was written.
 */
export function describeReceiptStore<Transaction>(
  name: string,
  createStore: (t: StoreTest) => Awaitable<ReceiptStoreUnderTest<Transaction>>,
  [ada, bo]: readonly [ada: ReceiptKey['owner'], bo: ReceiptKey['owner']] = [1, 2],
): void {
  const KEY: ReceiptKey = { owner: ada, once: 'page-one', digest: 'a'.repeat(64) };
  const check = (
    behaviour: string,
    run: (
      /** Carries out a form that writes the text and redirects to the path of that name. */
      send: (key: ReceiptKey | null, text: string) => Promise<string>,
      site: ReceiptStoreUnderTest<Transaction>,
    ) => Promise<void>,
  ) =>
    test(`${name}: ${behaviour}`, async (t) => {
      const site = await createStore(t);
      const send = (key: ReceiptKey | null, text: string) =>
        site.store.carryOut(key, async (transaction) => {
          await site.write(transaction, text);
          return `/${text}`;
        });
      await run(send, site);
    });

  check(
    'carries the same form out once, and finds its path then',
    async (send, { store, written }) => {
      assert.equal(await store.find(KEY), null);
      assert.equal(await send(KEY, 'one'), '/one');
      assert.equal(await store.find(KEY), '/one');
      assert.equal(await send(KEY, 'two'), '/one');
      assert.deepEqual(await written(), ['one']);
    },
  );

  check(
    'carries out a form once when it arrives many times concurrently',
    async (send, { written }) => {
      const texts = Array.from({ length: 50 }, (_, index) => `text-${index}`);
      const paths = await Promise.all(texts.map((text) => send(KEY, text)));
      const kept = await written();
      assert.equal(kept.length, 1);
      assert.deepEqual(new Set(paths), new Set([`/${kept[0]}`]));
    },
  );

  check(
    'treats another owner, another key or other fields as another form',
    async (send, { written }) => {
      const keys = [
        KEY,
        { ...KEY, owner: 0 },
        { ...KEY, owner: bo },
        { ...KEY, once: 'page-two' },
        { ...KEY, digest: 'b'.repeat(64) },
      ];
      for (const [index, key] of keys.entries())
        assert.equal(await send(key, `${index}`), `/${index}`);
      for (const [index, key] of keys.entries())
        assert.equal(await send(key, 'again'), `/${index}`);
      assert.deepEqual(await written(), ['0', '1', '2', '3', '4']);
    },
  );

  check('carries out every form that has no key', async (send, { written }) => {
    await send(null, 'one');
    await send(null, 'two');
    assert.deepEqual(await written(), ['one', 'two']);
  });

  check(
    'keeps no receipt of a form that failed, so that it can be sent again',
    async (send, { store }) => {
      const failure = new Error('The disk is full.');
      await assert.rejects(
        store.carryOut(KEY, async () => {
          throw failure;
        }),
        failure,
      );
      assert.equal(await store.find(KEY), null);
      assert.equal(await send(KEY, 'one'), '/one');
    },
  );
}
