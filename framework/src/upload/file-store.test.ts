import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import type { StoreTest } from '../session/store-test.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { createFolder } from './create-folder.ts';
import { describeFileStore } from './file-store.contract.ts';
import { createMemoryFileStore } from './memory-file-store.ts';

const KEY = 'a'.repeat(64);

const createPath = (t: StoreTest) => join(createTestFolder(t), 'files', 'of mine');

describeFileStore('the store in memory', () => createMemoryFileStore());
describeFileStore('the store in a folder', (t) => createFolder(createPath(t)));

test('nobody else may read a folder of files', async (t) => {
  const path = createPath(t);
  const write = createFolder(path).write(KEY, oneChunk());
  await write;
  assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.equal((await stat(join(path, KEY))).mode & 0o777, 0o600);
});

test('a file that fails leaves nothing in its folder, and never replaces another', async (t) => {
  const path = createPath(t);
  const folder = createFolder(path);
  await assert.rejects(
    folder.write(
      KEY,
      (async function* () {
        yield* oneChunk();
        throw new Error('The disk is full.');
      })(),
    ),
    /disk is full/,
  );
  assert.deepEqual(await readdir(path), []);
  await folder.write(KEY, oneChunk());
  await assert.rejects(folder.write(KEY, oneChunk()), { code: 'EEXIST' });
  for await (const chunk of folder.read(KEY)) assert.equal(`${chunk}`, 'content');
});

test('only keys are paths', async (t) => {
  const folder = createFolder(createPath(t));
  for (const key of ['../secret', '', 'A'.repeat(64), `${'a'.repeat(63)}/`, `${KEY}\0`]) {
    await assert.rejects(folder.write(key, oneChunk()), /Cannot use .* as the key of a file/);
    await assert.rejects(async () => {
      for await (const _ of folder.read(key));
    }, /as the key of a file/);
    assert.throws(() => folder.remove(key), /as the key of a file/);
  }
  assert.throws(() => createFolder(''), /Cannot store files in empty text/);
});

async function* oneChunk(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('content');
}
