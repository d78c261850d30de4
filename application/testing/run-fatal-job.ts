/**
 * A child process that carries out the jobs of an outbox that are due at a time. One kind of job ends the process, as a
 * bug does that exhausts its memory; the other writes a line to a file. Reports go to standard output.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createOutbox, type Database } from 'seeother/database';
import { openBareDatabase } from './open-bare-database.ts';

export const ATTEMPTS = 3;
export const EXIT_CODE = 9;

export function createJobs(database: Database, file: string) {
  const jobs = {
    fatal: async (_: null) => {
      await setTimeout(5);
      process.exit(EXIT_CODE);
    },
    innocent: async ({ name }: { readonly name: string }) => {
      await setTimeout(20);
      appendFileSync(file, `${name}\n`);
    },
  };
  return createOutbox(database, jobs, {
    attempts: ATTEMPTS,
    report: ({ message }) => void process.stdout.write(`${message}\n`),
  });
}

if (import.meta.main) {
  const [url = '', file = '', now = ''] = process.argv.slice(2);
  const database = await openBareDatabase(url);
  await createJobs(database, file).run(new Date(Number(now)));
  await database.close();
}
