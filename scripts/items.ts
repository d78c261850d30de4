/**
 * `npm run items -- export <file>` writes all items as CSV, `npm run items -- import <file>` says what a file
 * would add and change. With `--as <username>` it does so, and the changes are in the history under that
 * name; an import that was stopped goes on when the same command is run again. A failure is one line on standard error and exit code 1.
 */
import { open } from 'node:fs/promises';
import { DatabaseUnavailable } from 'seeother/database';
import { createPeople } from '../application/accounts/people.ts';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { ImportRefused } from '../application/imports/import-refused.ts';
import { csvHeader, csvLines } from '../application/items/export/csv.ts';
import { createItemExport } from '../application/items/export/item-export.ts';
import { ALL_ITEMS } from '../application/items/item-list.ts';
import { readConfig } from '../application/settings/config.ts';
import { StartError } from '../application/settings/start-error.ts';
import { importFromTerminal } from './import-from-terminal.ts';
import { endProgress, showProgress } from './terminal-progress.ts';

const USAGE =
  'Use "npm run items -- export items.csv", or "npm run items -- import items.csv", with "--as ada" to write.';
/** Rows that are named one by one. */
const MAX_NAMED = 20;

async function run([command, file, ...options]: readonly string[]): Promise<void> {
  if ((command !== 'export' && command !== 'import') || file === undefined)
    throw new StartError(`Cannot run: it takes export or import, and a file. ${USAGE}`);
  const [option, username, ...others] = options;
  const isWhole = options.length === 0 || (command === 'import' && option === '--as');
  if (!isWhole || others.length > 0 || (option !== undefined && username === undefined))
    throw new StartError(`Cannot run: unknown options ${options.join(' ')}. ${USAGE}`);
  const { databaseUrl } = readConfig(process.env);
  const database = await openDatabase(databaseUrl);
  try {
    if (command === 'export') await exportAll(database, file);
    else await importFile(database, file, username ?? null);
  } finally {
    await database.close();
  }
}

/** Oldest first, so that a new item is a line at the end. All items are of one moment. */
async function exportAll(database: Database, file: string): Promise<void> {
  const target = await open(file, 'w').catch(cannotOpen(file));
  let count = 0;
  try {
    await target.writeFile(csvHeader());
    await database.snapshot(async (read) => {
      const exportItems = createItemExport({ ...database, read });
      for await (const items of await exportItems({ ...ALL_ITEMS, order: 'oldest' })) {
        await target.writeFile(csvLines(items));
        count += items.length;
        showProgress(`${count} items`);
      }
    });
  } finally {
    await target.close();
    endProgress();
  }
  process.stdout.write(`${count} items exported.\n`);
}

async function importFile(
  database: Database,
  file: string,
  username: string | null,
): Promise<void> {
  const author = username === null ? null : await findAuthor(database, username);
  const imported = await importFromTerminal(database, file, author).catch((error) => {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) cannotOpen(file)(error);
    throw error;
  });
  for (const { line, problem } of imported.refused.slice(0, MAX_NAMED))
    process.stdout.write(`Line ${line}: ${problem}.\n`);
  const { create, change, same, refuse } = imported.counts;
  if (refuse > MAX_NAMED) process.stdout.write(`${refuse - MAX_NAMED} more lines were refused.\n`);
  if (imported.problem !== '') throw new StartError(`The import was stopped: ${imported.problem}`);
  const [created, changed] = author === null ? ['to create', 'to change'] : ['created', 'changed'];
  process.stdout.write(
    `${create} ${created}, ${change} ${changed}, ${same} unchanged, ${refuse} refused.\n`,
  );
  if (author === null)
    process.stdout.write('Nothing was written. Add "--as" and your username to import the file.\n');
}

async function findAuthor(database: Database, username: string): Promise<number> {
  const person = await createPeople(database).findByName(username);
  if (person === null || person.removedAt !== null)
    throw new StartError(`Cannot import as ${username}: there is no such account.`);
  if (person.role === 'reader')
    throw new StartError(`Cannot import as ${username}: readers may not change items.`);
  return person.id;
}

function cannotOpen(file: string) {
  return (error: unknown): never => {
    throw new StartError(`Cannot open ${file}: ${(error as Error).message}`);
  };
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof StartError ||
    error instanceof ImportRefused ||
    error instanceof DatabaseUnavailable;
  if (!isExpected) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
