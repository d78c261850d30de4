/** A file that is locked, full, read-only or damaged while the application runs on it. */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { sql } from 'kysely';
import { DatabaseUnavailable } from 'seeother/database';
import { addItem, createTestFolder, openTestDatabase } from '../testing/open-test-database.ts';
import { openDatabase } from './open-database.ts';

const LONG = { name: 'Drill', description: 'x'.repeat(9_999), quantity: 1, location: '', tags: [] };

test('a locked file is unavailable for writes until the lock is released', async (t) => {
  const database = await openTestDatabase(t, 'sqlite', { timeout: 500 });
  const other = new DatabaseSync(database.file);
  t.after(() => other.close());
  other.exec('begin immediate');
  await assert.rejects(addItem(database, LONG), DatabaseUnavailable);
  await database.check();
  other.exec('rollback');
  assert.equal(await addItem(database, LONG), 1);
});

test('on a full disk writes are unavailable, pages still work, and nothing is lost', async (t) => {
  const reports: string[] = [];
  const database = await openTestDatabase(t, 'sqlite', {
    report: ({ message }) => reports.push(message),
  });
  const limit = (pages: number) =>
    database.write((transaction) =>
      sql`pragma max_page_count = ${sql.lit(pages)}`.execute(transaction),
    );
  await limit(1);
  let saved = 0;
  const fill = async () => {
    for (;;) saved = await addItem(database, LONG);
  };
  await assert.rejects(fill(), (error) => {
    assert.ok(error instanceof DatabaseUnavailable);
    assert.match(error.message, /the disk is full/);
    assert.equal(error.outcome, 'not saved');
    assert.equal(database.writeFailure(), error);
    return true;
  });
  await assert.rejects(fill(), DatabaseUnavailable);
  assert.deepEqual(reports, [
    'Writes fail: the disk is full. Make room on it: they then continue by themselves.',
  ]);
  await database.check();
  await limit(10_000);
  assert.equal(await addItem(database, LONG), saved + 1);
});

test('a file, log or folder that is deleted while open is unavailable until it is back, and reported once', {
  skip: process.platform === 'win32' && 'Windows keeps a file that is open where it is.',
}, async (t) => {
  const folder = createTestFolder(t);
  const inside = join(folder, 'storage');
  const file = join(inside, 'application.db');
  const reports: string[] = [];
  const database = await openDatabase(`sqlite:${file}`, {
    report: ({ message }) => reports.push(message),
  });
  t.after(() => database.close());
  const away = join(folder, 'away');
  for (const path of [file, `${file}-wal`, inside]) {
    const number = await addItem(database, LONG);
    renameSync(path, away);
    await assert.rejects(addItem(database, LONG), DatabaseUnavailable);
    await assert.rejects(database.check(), /was deleted, moved or replaced while it was open/);
    renameSync(away, path);
    await database.check();
    assert.equal(await addItem(database, LONG), number + 1);
  }
  writeFileSync(away, readFileSync(file));
  renameSync(away, file);
  await assert.rejects(addItem(database, LONG), DatabaseUnavailable);
  assert.equal(reports.length, 4);
  for (const report of reports)
    assert.match(report, /application\.db(-wal)? was deleted, moved or/);
});
