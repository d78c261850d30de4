/** After a sync that failed, only what is written once more is sure to reach the disk. */
import assert from 'node:assert/strict';
import fs, { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { DatabaseUnavailable } from '../database/database.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { openLog, syncPath } from './log.ts';
import { openSqlite } from './open-sqlite.ts';

/** The ranges that are written with an offset, until the end of the test. Each write arrives in part. */
function watchWrites(t: TestContext, fail: () => boolean = () => false) {
  const ranges: (readonly [start: number, end: number])[] = [];
  const { writeSync } = fs;
  const { mock } = t.mock.method(fs, 'writeSync', ((descriptor, bytes, start, length, position) => {
    if (fail()) throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
    const part = Math.ceil(length / 2);
    ranges.push([position, position + part]);
    return writeSync(descriptor, bytes as Uint8Array, start, part, position);
  }) as (
    descriptor: number,
    bytes: unknown,
    start: number,
    length: number,
    position: number,
  ) => number);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  return ranges;
}

test('every byte of the log is written once more, and stays as it is', (t) => {
  const path = join(createTestFolder(t), 'notes.db');
  const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => (index * 7) % 251));
  writeFileSync(`${path}-wal`, content);
  const log = openLog(path);
  t.after(log.close);
  const ranges = watchWrites(t);
  log.rewrite();
  assert.ok(readFileSync(`${path}-wal`).equals(content));
  let end = 0;
  for (const [start, next] of ranges) {
    assert.equal(start, end);
    end = next;
  }
  assert.equal(end, content.length);
});

test('the log is written once more with the lock, when the database is opened or by the first write', async (t) => {
  const file = join(createTestFolder(t), 'notes.db');
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('pragma journal_mode = wal; create table notes (text text); begin immediate');
  const ranges = watchWrites(t);
  const late = await openSqlite(file, { timeout: 50 });
  t.after(() => late.close());
  assert.equal(ranges.length, 0, 'written without the lock');
  other.exec('rollback');
  const add = () => late.write(({ run }) => run("insert into notes values ('first')"));
  await add();
  const written = ranges.length;
  assert.ok(written > 0, 'the first write has not written the log');
  await add();
  assert.equal(ranges.length, written, 'the second write has written the log');
  await (await openSqlite(file)).close();
  assert.ok(ranges.length > written, 'opening has not written the log');
});

test('while the log cannot be written once more, every write fails, and the next one tries again', async (t) => {
  const file = join(createTestFolder(t), 'notes.db');
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('pragma journal_mode = wal; create table notes (text text)');
  let isBroken = true;
  watchWrites(t, () => isBroken);
  const database = await openSqlite(file);
  t.after(() => database.close());
  const add = () => database.write(({ run }) => run("insert into notes values ('first')"));
  await assert.rejects(add, DatabaseUnavailable);
  await assert.rejects(add, /its log cannot be written once more: Error: EIO/);
  isBroken = false;
  await add();
  const { rows } = await database.read.run('select count(*) as count from notes');
  assert.deepEqual(rows, [{ count: 1 }]);
});

test('a sync that fails leaves no descriptor open', (t) => {
  const folder = createTestFolder(t);
  const { mock } = t.mock.method(fs, 'fsyncSync', () => {
    throw new Error('EIO: i/o error, fsync');
  });
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const next = () => {
    const descriptor = openSync(folder, 'r');
    closeSync(descriptor);
    return descriptor;
  };
  const before = next();
  assert.throws(() => syncPath(folder), /EIO/);
  assert.equal(next(), before);
});
