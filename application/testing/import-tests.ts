/**
 * Runs the test files of a folder, and of the folders in it, in one process, one after the other: starting a
 * process and loading the application takes longer than most of them. Each file can also run as an ordinary
 * test. Those of `npm run test:release`, `x.release.test.ts`, are left out.
 */

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ENGINE } from './create-test-database.ts';
import { stopTracking } from './track-registration.ts';
// Here, so that what it keeps open is closed after the last file and not after the first.
import './open-test-database.ts';

const ALL = '**/*.test.ts';
const OF_A_RELEASE = '**/*.release.test.ts';

/** On PostgreSQL, those of `onPostgres`: the others have run in the first phase, and need no second time. */
export function importTests(folder: string, onPostgres = ALL): void {
  const files = globSync(ENGINE === 'postgres' ? onPostgres : ALL, {
    cwd: folder,
    exclude: [OF_A_RELEASE],
  }).sort();
  let left = files.length;
  for (const file of files) {
    describe(file, async () => {
      await import(pathToFileURL(join(folder, file)).href);
      if (--left === 0) stopTracking();
    });
  }
}
