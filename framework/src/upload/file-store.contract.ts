/**
 * The contract suite of file stores. The test file of an implementation passes a function that creates empty stores.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { ByteRange } from '../http/send-content.ts';
import type { StoreTest } from '../session/store-test.ts';
import type { FileStore } from './file-store.ts';

const newKey = () => randomBytes(32).toString('hex');

/** Registers the tests that every file store must pass. `createStore` makes an empty store for each test. */
export function describeFileStore(
  name: string,
  createStore: (t: StoreTest) => Awaitable<FileStore>,
): void {
  const check = (behaviour: string, run: (store: FileStore) => Promise<void>): Promise<void> =>
    test(`${name}: ${behaviour}`, async (t) => {
      await run(await createStore(t));
    });

  check('returns the bytes that were written, and any range of them', async (store) => {
    // Larger than the smallest part of a service.
    const content = randomBytes(6 * 1_048_576 + 1);
    const key = newKey();
    await store.write(key, inChunks(content));
    await store.write(newKey(), inChunks(new TextEncoder().encode('another')));
    assert.ok((await collect(store, key)).equals(content));
    const last = content.length - 1;
    for (const range of [
      { first: 0, last: 0 },
      { first: 100_000, last: 200_000 },
      { first: last, last },
      { first: 0, last },
    ]) {
      const part = content.subarray(range.first, range.last + 1);
      assert.ok((await collect(store, key, range)).equals(part), JSON.stringify(range));
    }
  });

  check('forgets a file that was removed', async (store) => {
    const key = newKey();
    await store.write(key, inChunks(new TextEncoder().encode('content')));
    await store.remove(key);
    await assert.rejects(collect(store, key));
    await store.remove(key);
  });

  check('stores nothing of a file that fails in the middle', async (store) => {
    const key = newKey();
    const failure = new Error('The client has left.');
    const failing = async function* () {
      yield* inChunks(randomBytes(6 * 1_048_576));
      throw failure;
    };
    await assert.rejects(store.write(key, failing()));
    await assert.rejects(collect(store, key));
  });

  check('can stop in the middle of a file', async (store) => {
    const key = newKey();
    await store.write(key, inChunks(randomBytes(1_048_576)));
    for await (const chunk of store.read(key)) {
      assert.ok(chunk.byteLength > 0);
      break;
    }
  });
}

async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += 65_536) yield content.subarray(at, at + 65_536);
}

async function collect(store: FileStore, key: string, range?: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
