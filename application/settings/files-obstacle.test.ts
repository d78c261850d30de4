import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTestFolder } from '../testing/open-test-database.ts';
import { findFilesObstacle, watchFiles } from './files-obstacle.ts';

const toPlace = (filesFolder: string) => ({ filesFolder, filesBucket: null });

test('files can be stored in a folder that is not there yet, and not below a file', async (t) => {
  const folder = createTestFolder(t);
  assert.equal(await findFilesObstacle(toPlace(join(folder, 'not', 'yet'))), null);
  const file = join(folder, 'letter.txt');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'files')])
    assert.match(
      (await findFilesObstacle(toPlace(path))) ?? '',
      /^Files cannot be stored in .*letter\.txt.*ENOTDIR.*: set FILES_FOLDER to a folder/,
    );
});

test('a folder that becomes unusable, and usable again, is noticed', async (t) => {
  const folder = join(createTestFolder(t), 'files');
  let isMounted = true;
  const canStore = watchFiles(toPlace(folder), async () => assert.ok(isMounted));
  const until = async (expected: boolean) => {
    while (canStore() !== expected) await setImmediate();
  };
  await until(true);
  writeFileSync(folder, 'in the way');
  await until(false);
  rmSync(folder);
  mkdirSync(folder);
  await until(true);
  isMounted = false;
  await until(false);
});
