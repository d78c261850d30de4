/**
 * Runs the test files of a folder, and of the folders in it, in one process, one after the other: starting a
 * process and loading the application takes longer than most of them. Each file can also run as an ordinary
 * test.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
// Here, so that what it keeps open is closed after the last file and not after the first.
import './open-test-database.ts';

export function importTests(folder: string, pattern = '**/*.test.ts'): void {
  for (const file of globSync(pattern, { cwd: folder }).sort())
    describe(file, async () => {
      await import(pathToFileURL(join(folder, file)).href);
    });
}
