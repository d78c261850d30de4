/**
 * The tests of the framework in one process, one file after the other: to start a process takes longer
 * than most of them. Those of the server, which wait for sockets,
 * and of the traces, which register an SDK, run in processes of their own. A file
 * by itself can be run as any other test.
 */
import { globSync } from 'node:fs';
import { describe } from 'node:test';

const files = globSync('src/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['src/server/**', 'src/observe/**'],
});

for (const file of files.sort())
  describe(file, async () => {
    await import(`./${file}`);
  });
