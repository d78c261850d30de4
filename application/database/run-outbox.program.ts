/**
 * A child process that writes orders, each with a job that ships it, and carries out jobs, its own and those of other
 * processes, until its standard input ends. To ship is to append a line to a file: the order, and the process.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createOutbox, type Database } from 'seeother/database';
import { openBareDatabase } from '../testing/open-bare-database.ts';

/** Jobs that a process carries out at once. */
export const CONCURRENCY = 3;

export function createShipping(database: Database, file: string) {
  const ship = async ({ order }: { readonly order: string }) => {
    await setTimeout(5);
    appendFileSync(file, `${order} ${process.pid}\n`);
    await setTimeout(5);
  };
  return createOutbox(database, { ship }, { concurrency: CONCURRENCY });
}

if (import.meta.main) {
  const [url = '', file = ''] = process.argv.slice(2);
  const database = await openBareDatabase(url);
  const { afterCommit, start, stop } = createShipping(database, file);
  let isOver = false;
  process.stdin.on('end', () => {
    isOver = true;
  });
  process.stdin.resume();
  start();
  while (!isOver) {
    const order = randomUUID();
    await database.write(async (transaction) => {
      await transaction.run(`insert into orders values ('${order}')`);
      await afterCommit.ship(transaction, { order });
    });
    await setTimeout(10);
  }
  await stop();
  await database.close();
}
