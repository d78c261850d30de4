/** Creates a SQLite file with one item, whose index on sort keys differs from its table by a letter. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDatabase } from '../database/open-database.ts';
import { addItem, createTestFolder } from './open-test-database.ts';

export async function createDamagedFile(t: TestContext): Promise<string> {
  const file = join(createTestFolder(t), 'application.db');
  const database = await openDatabase(`sqlite:${file}`);
  const item = { description: '', quantity: 1, location: '', tags: [] };
  await addItem(database, { ...item, name: 'Blue Xylophone' });
  await database.close();
  const place = readFileSync(file, 'latin1').lastIndexOf('BLUE XYLOPHONE');
  assert.ok(place > 0);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, 'Z', place);
  closeSync(descriptor);
  return file;
}
