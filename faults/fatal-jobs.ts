/**
 * A job that ends its process each time, beside eight innocent ones, with a clock that is 25 hours ahead at the first
 * attempt and right after it. The fatal job must end as the only dead letter, named by a report, and each innocent one
 * must be carried out once, within minutes of the right clock.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '../application/testing/create-test-database.ts';
import type { Place } from './kill-during-creates.ts';
import { createJobs, EXIT_CODE, openOutbox } from './run-fatal-job.ts';

const PROGRAM = join(import.meta.dirname, 'run-fatal-job.ts');
const INNOCENT = 8;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The first one, one for each attempt of the fatal job alone, and one that ends it. */
const MAX_STARTS = 6;

/** `failed` are rounds without exactly the fatal job as a dead letter, and without a report that names it. */
export async function runFatalJobs(rounds: number, { url, remove }: Pick<Place, 'url' | 'remove'>) {
  const folder = makeFolder();
  const file = join(folder, 'done');
  writeFileSync(file, '');
  const database = await openOutbox(url);
  const { afterCommit, failed, discard } = createJobs(database, file);
  let processesLost = 0;
  let isFailed = 0;
  const names: string[] = [];
  for (let round = 0; round < rounds; round++) {
    await database.write(async (transaction) => {
      for (let index = 0; index < INNOCENT; index++) {
        // Half of them before the fatal job, half after it.
        if (index === INNOCENT / 2) await afterCommit.fatal(transaction, null);
        const name = `${round}-${index}`;
        names.push(name);
        await afterCommit.innocent(transaction, { name });
      }
    });
    const now = Date.now() + MINUTE;
    let output = '';
    for (let start = 0; start < MAX_STARTS; start++) {
      const time = start === 0 ? now + 25 * HOUR : now + start * 3 * MINUTE;
      const child = spawnSync(process.execPath, [PROGRAM, url, file, `${time}`], {
        encoding: 'utf8',
      });
      output += child.stdout;
      if (child.status === EXIT_CODE) processesLost++;
      else if (child.status !== 0) throw new Error(child.stderr);
    }
    const dead = await failed();
    const named = output.match(/job fatal \(.+\) did not end, and it ran alone/g) ?? [];
    if (dead.length !== 1 || dead[0]?.name !== 'fatal' || named.length === 0) isFailed++;
    for (const { id } of dead) await discard(id);
  }
  await database.close();
  await remove();
  const done = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  removeFolder(folder);
  return {
    rounds,
    innocent: names.length,
    processesLost,
    lost: names.filter((name) => !done.includes(name)).length,
    doubled: done.length - new Set(done).size,
    failed: isFailed,
  };
}
