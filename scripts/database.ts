/**
 * `npm run database -- copy <from> <to>`: copies everything to a new database, of either engine. Both
 * addresses are written as in DATABASE_URL. It prints what it copied, with a checksum per table. A
 * failure is one line on standard error and exit code 1, and leaves nothing in the target.
 */

import { openDatabase } from '../application/database/open-database.ts';
import { type CopiedTable, copyDatabase } from '../application/maintenance/copy-database.ts';
import { toCommand } from '../application/settings/command.ts';
import { readConfig } from '../application/settings/config.ts';
import { StartError } from '../application/settings/start-error.ts';
import { runCommand } from './run-command.ts';
import { toColumns } from './table.ts';
import { describeProgress, endProgress, showProgress } from './terminal-progress.ts';

const USAGE = `Use "${toCommand('database copy sqlite:storage/application.db postgres://user:password@host/name')}", or the reverse.`;

/** In milliseconds: to count and to group millions of rows takes longer than any statement of the service. */
const PATIENT = { timeout: 60_000 };

async function run([command, from, to, ...others]: readonly string[]): Promise<void> {
  if (command !== 'copy') throw new StartError(`Cannot run: there is one command, copy. ${USAGE}`);
  if (from === undefined || to === undefined || others.length > 0)
    throw new StartError(`Cannot copy: it takes two addresses. ${USAGE}`);
  if (from === to) throw new StartError('Cannot copy a database into itself. Name another one.');
  const source = await openDatabase(checked(from), { ...PATIENT, mustExist: true });
  try {
    const target = await openDatabase(checked(to), PATIENT);
    try {
      print(await copyDatabase(source, target, { onProgress }));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function onProgress(table: string, done: number, all: number): void {
  showProgress(`${table} ${describeProgress(done, all)}`);
  if (done === all) endProgress();
}

/** The address, if the application would accept it. */
function checked(url: string): string {
  return readConfig({ DATABASE_URL: url }).databaseUrl;
}

function print(tables: readonly CopiedTable[]): void {
  const lines = tables.map(({ name, rows, checksum }) => [name, String(rows), checksum]);
  process.stdout.write(`${toColumns([['table', 'rows', 'SHA-256'], ...lines]).join('\n')}\n`);
}

await runCommand(run);
