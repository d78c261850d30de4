/**
 * `npm run database -- copy <from> <to>`: copies everything to a new database, of either engine. Both
 * addresses are written as in DATABASE_URL. It prints what it copied, with a checksum per table, and whether the kept
 * files are whole, which stay where they are. A failure is one line on standard error and exit code 1, and leaves
 * nothing in the target.
 *
 * `npm run database -- files <from> <to>`: copies the files that the database knows to another folder or bucket. Both
 * addresses are written as in FILES_URL.
 */

import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { type CopiedTable, copyDatabase } from '../application/maintenance/copy-database.ts';
import { copyFiles } from '../application/maintenance/copy-files.ts';
import {
  type CheckedFiles,
  checkFiles,
  describeFlaws,
  type KnownFile,
  LIST_FILES,
  toKnownFile,
} from '../application/maintenance/known-files.ts';
import { toCommand } from '../application/settings/command.ts';
import { type Config, readConfig } from '../application/settings/config.ts';
import { nameFiles, openFiles } from '../application/settings/files-place.ts';
import { StartError } from '../application/settings/start-error.ts';
import { runCommand } from './run-command.ts';
import { toColumns } from './table.ts';
import { describeProgress, endProgress, showProgress } from './terminal-progress.ts';

const USAGE = `Use "${toCommand('database copy sqlite:storage/application.db postgres://user:password@host/name')}", or the reverse, or "${toCommand('database files file:///srv/files s3://bucket/prefix?region=eu-central-1')}".`;

/** In milliseconds: to count and to group millions of rows takes longer than any statement of the service. */
const PATIENT = { timeout: 60_000 };

async function run([command, from, to, ...others]: readonly string[]): Promise<void> {
  if (command !== 'copy' && command !== 'files')
    throw new StartError(`Cannot run: there are two commands, copy and files. ${USAGE}`);
  if (from === undefined || to === undefined || others.length > 0)
    throw new StartError(`Cannot copy: it takes two addresses. ${USAGE}`);
  if (from === to) throw new StartError('Cannot copy a place into itself. Name another one.');
  if (command === 'files') return moveFiles(from, to);
  const source = await openDatabase(checked(from), { ...PATIENT, mustExist: true });
  try {
    const target = await openDatabase(checked(to), PATIENT);
    try {
      print(await copyDatabase(source, target, { onProgress }));
      const { checked, place } = await checkKept(source);
      tell(checked, place, 'are whole');
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

/** The kept files, which both databases know. They stay where they are. */
async function checkKept(source: Database) {
  const config = readConfig(process.env);
  const kept = (await listFiles(source)).filter(({ isKept }) => isKept);
  return { checked: await checkFiles(kept, openFiles(config)), place: nameFiles(config) };
}

/** From one folder or bucket to another. What is there already is written again. */
async function moveFiles(from: string, to: string): Promise<void> {
  const [old, next] = [from, to].map((url) => readConfig({ ...process.env, FILES_URL: url }));
  const { databaseUrl } = readConfig(process.env);
  const database = await openDatabase(databaseUrl, { ...PATIENT, mustExist: true });
  try {
    const files = await listFiles(database);
    const checked = await copyFiles(
      files,
      openFiles(old as Config),
      openFiles(next as Config),
    ).catch((error) => {
      throw new StartError(`Cannot copy the files: ${error.message}.`);
    });
    tell(checked, nameFiles(old as Config), `were copied to ${nameFiles(next as Config)}`);
  } finally {
    await database.close();
  }
}

/** The framework makes its table when it is first used. */
async function listFiles({ door, read }: Database): Promise<readonly KnownFile[]> {
  const tables = await read.introspection.getTables();
  if (!tables.some(({ name }) => name === 'seeother_files')) return [];
  return (await door.read.run<Readonly<Record<string, unknown>>>(LIST_FILES)).rows.map(toKnownFile);
}

/** Nothing of a site without files. A flaw is exit code 1. */
function tell(checked: CheckedFiles, place: string, what: string): void {
  const flaws = describeFlaws(checked, place);
  if (checked.count > 0)
    process.stdout.write(`${checked.count.toLocaleString('en')} files in ${place} ${what}.\n`);
  if (flaws.length > 0) throw new StartError(flaws.join(' '));
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
