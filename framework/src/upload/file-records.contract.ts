/**
 * The contract suite of file records. The test file of an implementation passes a function that creates an empty
 * store, with one that runs work in a transaction.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import type { Awaitable } from '../http/awaitable.ts';
import type { StoreTest } from '../session/store-test.ts';
import type { FileContent, FileRecords } from './file-records.ts';

export interface FileRecordsUnderTest<Transaction> {
  readonly records: FileRecords<Transaction>;
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
}

const SHA = 'f'.repeat(64);
const CONTENT: FileContent = { type: 'text/csv', size: 3_000_000_000, sha256: SHA };
/** Another content of this size. */
const newContent = () => ({ ...CONTENT, sha256: randomBytes(32).toString('hex') });
/** An instant is compared as text, so it has a year of four digits. */
const FAR = new Date('9999-12-31');
const inADay = () => new Date(Date.now() + 86_400_000);

/** Registers the tests that all records of files must pass. `createRecords` makes an empty store for each test. */
export function describeFileRecords<Transaction>(
  name: string,
  createRecords: (t: StoreTest) => Awaitable<FileRecordsUnderTest<Transaction>>,
): void {
  const check = (
    behaviour: string,
    run: (
      records: FileRecords<Transaction>,
      site: {
        /** A complete file; resolves to its key. */
        readonly park: (
          owner?: string | null,
          expiresAt?: Date,
          content?: FileContent,
        ) => Promise<string>;
        readonly keep: (key: string) => Promise<string | null>;
        readonly remove: (id: string) => Promise<void>;
        /** What has expired, without the ids of the records. */
        readonly expired: (now?: Date) => Promise<readonly object[]>;
        /** Forgets what has expired now. */
        readonly forget: () => Promise<void>;
      },
    ) => Promise<void>,
  ): Promise<void> =>
    test(`${name}: ${behaviour}`, async (t) => {
      const { records, write } = await createRecords(t);
      await run(records, {
        async park(owner = null, expiresAt = inADay(), content = newContent()) {
          const key = randomBytes(32).toString('hex');
          await records.add({ key, owner, name: 'Grüße.csv' }, expiresAt);
          await records.complete(key, content);
          return key;
        },
        keep: async (key) =>
          (await write((transaction) => records.keep(key, transaction)))?.id ?? null,
        remove: (id) => write((transaction) => records.remove(id, transaction)),
        async expired(now = new Date()) {
          const listed = await records.takeExpired(now);
          return listed.map(({ key, isShared }) => ({ key, isShared }));
        },
        async forget() {
          for (const { id } of await records.takeExpired(new Date())) await records.forget(id);
        },
      });
    });

  check('finds a parked file once its bytes are complete', async (records, { keep }) => {
    const file = { key: 'a'.repeat(64), owner: 'ada', name: 'Grüße.csv' };
    await records.add(file, inADay());
    assert.equal(await records.findParked(file.key, 'ada'), null);
    assert.equal(await keep(file.key), null);
    await records.complete(file.key, CONTENT);
    assert.deepEqual(
      { ...(await records.findParked(file.key, 'ada')), id: 0, expiresAt: 0 },
      {
        ...file,
        ...CONTENT,
        id: 0,
        expiresAt: 0,
      },
    );
  });

  check('finds no file of another user, and that of a visitor', async (records, { park }) => {
    const [ofAda, ofVisitor] = [await park('ada'), await park(null)];
    assert.notEqual(await records.findParked(ofAda, 'ada'), null);
    assert.equal(await records.findParked(ofAda, 'bo'), null);
    assert.equal(await records.findParked(ofAda, null), null);
    assert.notEqual(await records.findParked(ofVisitor, 'bo'), null);
    await records.park(ofVisitor, 'bo', inADay());
    assert.equal(await records.findParked(ofVisitor, null), null);
    assert.notEqual(await records.findParked(ofVisitor, 'bo'), null);
  });

  check('keeps a file for good, under an id', async (records, { park, keep, expired }) => {
    const key = await park('ada', inADay(), CONTENT);
    const id = (await keep(key)) ?? '';
    const { owner, size, sha256, name } = (await records.find(id)) ?? {};
    assert.deepEqual(
      { owner, size, sha256, name },
      { owner: 'ada', size: CONTENT.size, sha256: SHA, name: 'Grüße.csv' },
    );
    assert.equal(await records.find(key), null);
    assert.equal(await records.discard(key), null);
    assert.deepEqual(await expired(FAR), []);
    // The same form may arrive again.
    assert.notEqual(await records.findParked(key, 'ada'), null);
  });

  check(
    'gives each form that keeps a file an id of its own',
    async (records, { park, keep, remove, expired, forget }) => {
      const key = await park();
      const ids = [(await keep(key)) ?? '', (await keep(key)) ?? ''] as const;
      assert.notEqual(ids[0], ids[1]);
      await remove(ids[0]);
      assert.equal(await records.find(ids[0]), null);
      assert.deepEqual(await expired(), [{ key, isShared: true }]);
      await forget();
      assert.notEqual(await records.find(ids[1]), null);
      await remove(ids[1]);
      assert.deepEqual(await expired(), [{ key, isShared: false }]);
      await forget();
      assert.deepEqual(await expired(), []);
    },
  );

  check(
    'keeps the bytes of one content once, until the last record of it is removed',
    async (records, { park, keep, remove, expired, forget }) => {
      const content = newContent();
      const [first, second, other] = [
        await park('ada', inADay(), content),
        await park('bo', inADay(), { ...content, type: 'text/plain' }),
        await park('bo', inADay(), { ...content, size: 1 }),
      ];
      const ids = [(await keep(first)) ?? '', (await keep(second)) ?? ''] as const;
      const kept = await records.find(ids[1]);
      assert.deepEqual(
        [kept?.key, kept?.owner, kept?.type, (await records.find((await keep(other)) ?? ''))?.key],
        [first, 'bo', 'text/plain', other],
      );
      // Its own bytes are parked, for the form that is sent again, and end as those of any parked file.
      assert.notEqual(await records.findParked(second, 'bo'), null);
      assert.deepEqual(await expired(FAR), [{ key: second, isShared: false }]);
      await forget();
      await remove(ids[0]);
      assert.deepEqual(await expired(FAR), [{ key: first, isShared: true }]);
      await forget();
      await remove(ids[1]);
      assert.deepEqual(await expired(FAR), [{ key: first, isShared: false }]);
      await forget();
      // What ends has no bytes to share.
      const last = await park('ada', inADay(), content);
      assert.equal((await records.find((await keep(last)) ?? ''))?.key, last);
    },
  );

  check(
    'discards no bytes that another record keeps',
    async (records, { park, keep, remove, expired, forget }) => {
      const key = await park();
      const ids = [(await keep(key)) ?? '', (await keep(key)) ?? ''] as const;
      await remove(ids[0]);
      // The page of the form refers to it once more.
      assert.equal(await records.discard(key), null);
      await forget();
      assert.notEqual(await records.find(ids[1]), null);
      assert.deepEqual(await expired(), []);
    },
  );

  check(
    'neither finds nor keeps a file that has expired',
    async (records, { park, keep, expired, forget }) => {
      const key = await park(null, new Date(Date.now() - 1));
      assert.equal(await records.findParked(key, null), null);
      await records.park(key, null, inADay());
      assert.equal(await keep(key), null);
      assert.deepEqual(await expired(), [{ key, isShared: false }]);
      await forget();
      assert.deepEqual(await expired(FAR), []);
    },
  );

  check(
    'returns a discarded file until it is forgotten',
    async (records, { park, keep, expired, forget }) => {
      const [key, other] = [await park(), await park()];
      assert.notEqual(await records.discard(key), null);
      assert.equal(await records.findParked(key, null), null);
      assert.equal(await keep(key), null);
      for (let tries = 0; tries < 2; tries++)
        assert.deepEqual(await expired(), [{ key, isShared: false }]);
      await forget();
      assert.deepEqual(await expired(), []);
      assert.notEqual(await records.findParked(other, null), null);
    },
  );

  check(
    'forgets the records that were listed, and no other one of the same file',
    async (records, { park, keep, remove, expired }) => {
      const key = await park();
      const [one, other] = [(await keep(key)) ?? '', (await keep(key)) ?? ''] as const;
      await remove(one);
      const listed = await records.takeExpired(new Date());
      // Its bytes are still there, because the other record needed them.
      await remove(other);
      for (const { id } of listed) await records.forget(id);
      assert.deepEqual(await expired(), [{ key, isShared: false }]);
    },
  );

  check('tells whether anything was ever stored', async (records, { park, forget }) => {
    assert.equal(await records.isNew(), true);
    for (let times = 0; times < 2; times++) await records.begin();
    const key = await park();
    await records.discard(key);
    await forget();
    assert.equal(await records.isNew(), false);
    assert.equal(await records.find('beginning'), null);
  });

  check('adds up parked files, and those of visitors', async (records, { park, keep }) => {
    const toAmount = (files: number) => ({ files, bytes: files * CONTENT.size });
    assert.deepEqual(await records.parked(), { all: toAmount(0), visitors: toAmount(0) });
    const key = await park();
    await park();
    await park('ada');
    assert.deepEqual(await records.parked(), { all: toAmount(3), visitors: toAmount(2) });
    await keep(key);
    assert.deepEqual(await records.parked(), { all: toAmount(2), visitors: toAmount(1) });
  });
}
