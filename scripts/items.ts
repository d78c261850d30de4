/**
 * `npm run items -- export <file>` writes all items as CSV, `npm run items -- import <file>` says what a file would add
 * and change. With `--as <username>` it does so, and the changes are in the history under that name; an import that was
 * stopped goes on when the same command is run again. `--here` says what to do with rows of items that exist,
 * `--other-names` with those of items that have another name, `--columns` what the columns are. A failure is one line
 * on standard error and exit code 1.
 */
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { TableError } from 'seeother/tables';
import { createPeople } from '../application/accounts/people.ts';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import type { ColumnUse } from '../application/imports/columns.ts';
import { fieldIdOf } from '../application/imports/headings.ts';
import { isUse, labelOf } from '../application/imports/import-forms.ts';
import type { Choices } from '../application/imports/import-model.ts';
import { itemsCsv } from '../application/items/export/csv.ts';
import { createItemExport } from '../application/items/export/item-export.ts';
import { ALL_ITEMS } from '../application/items/item-query.ts';
import type { Item } from '../application/items/item-rows.ts';
import { referencesOf } from '../application/items/item-sources.ts';
import { readDefinitions } from '../application/own-fields/change-definitions.ts';
import { readOwnValues } from '../application/own-fields/own-values.ts';
import { toCommand } from '../application/settings/command.ts';
import { readConfig } from '../application/settings/config.ts';
import { StartError } from '../application/settings/start-error.ts';
import { type Imported, importFromTerminal } from './import-from-terminal.ts';
import { runCommand } from './run-command.ts';
import { endProgress, showProgress } from './terminal-progress.ts';

const USAGE = `Use "${toCommand('items export items.csv')}", or "${toCommand('items import items.csv')}", with "--as ada" to write, "--here leave", "--here update" or "--here add" for rows of items that exist, "--other-names leave", "--other-names update" or "--other-names add" for rows with the reference of an item with another name, and "--columns name,quantity,ignore" to say what the columns are.`;

async function run(args: readonly string[]): Promise<void> {
  const { command, file, ...options } = readArguments(args);
  const { databaseUrl } = readConfig(process.env);
  const database = await openDatabase(databaseUrl, { mustExist: true });
  try {
    if (command === 'export') await exportAll(database, file);
    else await importFile(database, file, options);
  } finally {
    await database.close();
  }
}

interface ImportOptions {
  readonly username: string | null;
  readonly choices: Choices;
  readonly uses: readonly ColumnUse[] | null;
}

function readArguments(
  args: readonly string[],
): ImportOptions & { readonly command: 'export' | 'import'; readonly file: string } {
  const text = { type: 'string' } as const;
  const fail = (why: string) => new StartError(`Cannot run: ${why}. ${USAGE}`);
  const parsed = (() => {
    try {
      const options = { as: text, here: text, 'other-names': text, columns: text };
      return parseArgs({ args: [...args], options, allowPositionals: true });
    } catch (error) {
      // Further sentences are about other programs.
      throw fail((error as Error).message.split('. ')[0] ?? '');
    }
  })();
  const { values, positionals } = parsed;
  const [command, file, ...others] = positionals;
  if ((command !== 'export' && command !== 'import') || file === undefined)
    throw fail('it takes export or import, and a file');
  const { as: username = null, here = 'leave', 'other-names': asked = null, columns } = values;
  if (others.length > 0 || (command === 'export' && Object.keys(values).length > 0))
    throw fail(`unknown options ${[...others, ...Object.keys(values)].join(' ')}`);
  if (!isChoice(here)) throw fail(`--here is ${here}, and must be leave, update or add`);
  if (asked !== null && !isChoice(asked))
    throw fail(`--other-names is ${asked}, and must be leave, update or add`);
  const uses = columns?.split(',').map((use) => use.trim()) ?? null;
  const unknown = uses?.find((use) => !isUse(use));
  if (unknown !== undefined) throw fail(`--columns has ${unknown}, which no column can be`);
  const choices = { here, asked };
  return { command, file, username, choices, uses: uses as readonly ColumnUse[] | null };
}

function isChoice(text: string): text is Choices['here'] {
  return text === 'leave' || text === 'update' || text === 'add';
}

/** Oldest first, so that a new item is a line at the end. All items are of one moment. */
async function exportAll(database: Database, file: string): Promise<void> {
  const target = await open(file, 'w').catch(cannotOpen(file));
  let count = 0;
  try {
    await database.snapshot(async (read) => {
      const exportItems = createItemExport({ ...database, read });
      async function* batches() {
        for await (const items of await exportItems({ ...ALL_ITEMS, order: 'oldest' })) {
          yield items;
          count += items.length;
          showProgress(`${count} items`);
        }
      }
      const parts = {
        findReferences: (items: readonly Pick<Item, 'number'>[]) => referencesOf(read, items),
        definitions: await readDefinitions(read),
        valuesOf: (items: readonly Pick<Item, 'number'>[]) =>
          readOwnValues(
            read,
            items.map(({ number }) => number),
          ),
      };
      const { body } = await itemsCsv(batches(), parts, { bom: false });
      await target.writeFile(body as AsyncIterable<Uint8Array>);
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
  { username, choices, uses }: ImportOptions,
): Promise<void> {
  const author = username === null ? null : await findAuthor(database, username);
  const options = { author, choices, uses };
  const imported = await importFromTerminal(database, file, options).catch((error) => {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) cannotOpen(file)(error);
    throw error;
  });
  printColumns(imported);
  const { refused, lent, counts, problem } = imported;
  for (const { line, name, problem: why } of refused)
    process.stdout.write(`Line ${line}${name === '' ? '' : ` (${name})`}: ${why}.\n`);
  for (const { line, name, who } of lent)
    process.stdout.write(`Line ${line} (${name}): it stays as it is, because ${who}.\n`);
  const { create, change, same, asked, refuse, doubled } = counts;
  const rest = refuse - refused.length;
  if (rest > 0) process.stdout.write(`${rest} more lines were refused.\n`);
  if (problem !== '') throw new StartError(`The import was stopped: ${problem}`);
  if (asked > 0)
    process.stdout.write(
      `${asked} with the reference or the number of an item with another name: say with "--other-names" what to do.\n`,
    );
  const [created, changed] = author === null ? ['to create', 'to change'] : ['created', 'changed'];
  process.stdout.write(
    `${create} ${created}, ${change} ${changed}, ${same} unchanged, ${counts.here + doubled} already here, ${refuse} refused.\n`,
  );
  if (author === null)
    process.stdout.write('Nothing was written. Add "--as" and your username to import the file.\n');
}

/** What was guessed, unless it is the file of an export. */
function printColumns({ columns }: Imported): void {
  if (columns === null) return;
  for (const notice of columns.notices) process.stdout.write(`${notice}.\n`);
  for (const [at, use] of columns.uses.entries()) {
    const heading = columns.header[at] ?? '';
    const name = fieldIdOf(use) === null ? labelOf(use) : 'Your field with this label';
    if (heading !== use) process.stdout.write(`Column “${heading}”: ${name}.\n`);
  }
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

await runCommand(run, (error) => error instanceof TableError);
