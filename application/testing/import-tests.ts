/**
 * Runs the test files of a folder, and of the folders in it, in one process, one after the other: starting a
 * process and loading the application takes longer than most of them. Each file can also run as an ordinary
 * test. On PostgreSQL, files that open no database are left out: they have run in the first phase.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ENGINE } from './create-test-database.ts';
import { stopTracking } from './track-registration.ts';
// Here, so that what it keeps open is closed after the last file and not after the first.
import './open-test-database.ts';

/** The modules by which a test opens a database. */
const OPENING =
  /\/testing\/(?:create-test-(?:application|database)|open-import|open-test-database|start-in-process)\.ts'/;

export function importTests(folder: string, pattern = '**/*.test.ts'): void {
  const files = globSync(pattern, { cwd: folder })
    .sort()
    .map((file) => ({ file, path: join(folder, file) }))
    .filter(({ path }) => ENGINE === 'sqlite' || OPENING.test(readFileSync(path, 'utf8')));
  let left = files.length;
  for (const { file, path } of files) {
    describe(file, async () => {
      await import(pathToFileURL(path).href);
      if (--left === 0) stopTracking();
    });
  }
}
