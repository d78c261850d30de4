/**
 * A child process that carries out the jobs of an outbox that are due at a time. One kind of job ends the process, as a
 * bug does that exhausts its memory; the other writes a line to a file. Reports go to standard output.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createOutbox, type Database } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { fileOf } from '../application/testing/create-test-database.ts';

export const ATTEMPTS = 3;
export const EXIT_CODE = 9;

export function createJobs(database: Database, file: string) {
  let isDying = false;
  const jobs = {
    fatal: async (_: null) => {
      isDying = true;
      await setTimeout(5);
      process.exit(EXIT_CODE);
    },
    innocent: async ({ name }: { readonly name: string }) => {
      await setTimeout(20);
      // Beside the fatal job, it is never done: a job that is done, but not confirmed, would rightly run again.
      if (isDying) await new Promise(() => {});
      appendFileSync(file, `${name}\n`);
    },
  };
  return createOutbox(database, jobs, {
    attempts: ATTEMPTS,
    report: ({ message }) => void process.stdout.write(`${message}\n`),
  });
}

/** Without `node:test`, which would report at the end of the process. */
export function openOutbox(url: string): Promise<Database> {
  const options = { timeout: 20_000 };
  return url.startsWith('sqlite:')
    ? openSqlite(fileOf(url), options)
    : openPostgres(parsePostgresUrl(url), options);
}

if (import.meta.main) {
  const [url = '', file = '', now = ''] = process.argv.slice(2);
  const database = await openOutbox(url);
  await createJobs(database, file).run(new Date(Number(now)));
  await database.close();
}
