import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { after, before } from 'node:test';
import { addAccount, createTestFolder } from '../testing/open-test-database.ts';
import { openDatabase } from './open-database.ts';

const FILES = ['application.db', 'application.db-wal', 'application.db-shm'];

// A file is made with all the rights that this mask leaves: most machines leave others their reading.
let mask = 0;
before(() => {
  mask = process.umask(0o022);
});
after(() => process.umask(mask));

function modesOf(folder: string, names: readonly string[] = FILES): readonly string[] {
  return names.map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));
}

test('the database, its log, its shared memory and a new folder are private to this user', async (t) => {
  const folder = join(createTestFolder(t), 'some', 'where');
  const database = await openDatabase(`sqlite:${join(folder, 'application.db')}`);
  t.after(() => database.close());
  await addAccount(database, 1, 'ada');
  assert.deepEqual(modesOf(folder), ['600', '600', '600']);
  assert.deepEqual(modesOf(folder, ['..', '.']), ['700', '700']);
});

test('existing files are made private, also behind a link and while in use', async (t) => {
  const folder = createTestFolder(t);
  const file = join(folder, 'application.db');
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('pragma journal_mode = wal; create table notes (text); insert into notes values (1)');
  for (const name of FILES) chmodSync(join(folder, name), 0o664);
  mkdirSync(join(folder, 'elsewhere'));
  const link = join(folder, 'elsewhere', 'link.db');
  symlinkSync(file, link);
  const database = await openDatabase(`sqlite:${link}`);
  t.after(() => database.close());
  assert.deepEqual(modesOf(folder), ['600', '600', '600']);
});
