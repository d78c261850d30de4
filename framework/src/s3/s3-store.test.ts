import assert from 'node:assert/strict';
import test from 'node:test';
import { describeFileStore } from '../upload/file-store.contract.ts';
import { KEYS, openBucket } from './bucket.fixture.ts';
import { createS3Store } from './s3-store.ts';

describeFileStore('files in S3', async (t) => createS3Store((await openBucket(t)).address, KEYS));

const KEY = 'a'.repeat(64);
const PART = 8 * 1_048_576;

async function* bytes(size: number) {
  for (let left = size; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 'x');
}

async function sizeOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.byteLength;
  return size;
}

test('files of every number of parts arrive, below the prefix', async (t) => {
  const { address, stored } = await openBucket(t);
  const store = createS3Store(address, KEYS);
  for (const size of [1, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1]) {
    await store.write(KEY, bytes(size));
    assert.equal(await sizeOf(store.read(KEY)), size);
  }
  assert.deepEqual(await stored(), [`things/${KEY}`]);
});

test('a failure that passes is not noticed, and one that stays leaves nothing', async (t) => {
  const { address, fail, stored } = await openBucket(t);
  const store = createS3Store(address, KEYS);
  let failures = 0;
  fail(({ method }) => (method === 'PUT' && failures++ % 2 === 0 ? { status: 503 } : null));
  await store.write(KEY, bytes(2 * PART));
  assert.equal(failures, 4);
  fail(({ url }) => (url.includes('partNumber=2') ? { status: 500 } : null));
  await assert.rejects(store.write('b'.repeat(64), bytes(2 * PART)), /Cannot write a part .*: 500/);
  // The file is stored, and its answer is lost each time.
  fail(({ method }) => (method === 'PUT' ? 'lose' : null));
  await assert.rejects(store.write('c'.repeat(64), bytes(9)));
  // The service says so in an answer of 200.
  fail(({ method, url }) =>
    method === 'POST' && url.includes('uploadId')
      ? { status: 200, body: '<Error><Code>InternalError</Code></Error>' }
      : null,
  );
  await assert.rejects(store.write('d'.repeat(64), bytes(PART + 1)), /InternalError/);
  assert.deepEqual(await stored(), [`things/${KEY}`]);
});

test('an error says what could not be done, where and why', async (t) => {
  const { address, fail } = await openBucket(t);
  const store = createS3Store(address, KEYS);
  await assert.rejects(
    sizeOf(store.read(KEY)),
    /^Error: Cannot read a file in s3:\/\/files\/things\/: 404 NoSuchKey/,
  );
  const other = createS3Store(address, { ...KEYS, secretAccessKey: 'other' });
  await assert.rejects(other.write(KEY, bytes(1)), /403 SignatureDoesNotMatch/);
  const gone = createS3Store('s3://files?endpoint=http://127.0.0.1:9', KEYS);
  await assert.rejects(
    gone.remove(KEY),
    /Cannot remove a file in s3:\/\/files\/: .*(ECONNREFUSED|bad port)/,
  );
  fail(() => ({ status: 301 }));
  await assert.rejects(store.write(KEY, bytes(1)), /: 301/);
});

test('a place without its mark is not the one where the files are', async (t) => {
  const { address, stored } = await openBucket(t);
  const store = createS3Store(address, KEYS);
  await assert.rejects(
    async () => store.check?.(false),
    /Cannot find the files of the site in s3:\/\/files\/things\/: it has no files-of-this-site\.txt/,
  );
  await store.check?.(true);
  await store.check?.(false);
  assert.deepEqual(await stored(), ['things/files-of-this-site.txt']);
  const elsewhere = createS3Store(address.replace('things', 'other'), KEYS);
  await assert.rejects(async () => elsewhere.check?.(false), /Name the bucket where they are/);
  const nowhere = createS3Store(address.replace('files', 'nowhere'), KEYS);
  await assert.rejects(async () => nowhere.check?.(true), /NoSuchBucket/);
});

test('an address that cannot be used is refused with the reason', () => {
  for (const [address, reason] of [
    ['https://files', /does not begin with s3:\/\//],
    ['s3://Files_', /"Files_" is no name of a bucket/],
    ['s3://key:secret@files?region=x', /pass the keys apart/],
    ['s3://files', /it needs a region/],
    ['s3://files/a%20b?region=x', /its prefix may have letters/],
    ['s3://files/../x?region=x&zone=1', /"zone" is no part of its query/],
    ['s3://files?endpoint=s3.example.org', /its endpoint must be only a scheme and a host/],
  ] as const)
    assert.throws(() => createS3Store(address, KEYS), reason, address);
  assert.throws(
    () => createS3Store('s3://files?region=x', { ...KEYS, secretAccessKey: '' }),
    /Cannot store files in s3:\/\/files\/ without secretAccessKey/,
  );
  assert.throws(() => createS3Store(7 as never, KEYS), /Cannot store files in 7/);
});
