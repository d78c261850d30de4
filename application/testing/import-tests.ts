/**
 * Runs the test files of a folder in one process, one after the other: to start a process and to load
 * the application in it takes longer than most of them. A file by itself can be run as any other test.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

export function importTests(folder: string): void {
  for (const file of globSync('*.test.ts', { cwd: folder }).sort())
    describe(file, async () => {
      await import(pathToFileURL(join(folder, file)).href);
    });
}
