/**
 * `npm run backup -- <file>`: copies the database as of one moment, while the service writes, and the files that it
 * knows into `<file>.files`. The copy gets its final name after it has been checked and the files are there, so a file
 * with that name is complete. A failure is one line on standard error and exit code 1.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'seeother/files';
import { syncPath } from 'seeother/sqlite';
import {
  copySqliteFile,
  publishFile,
  removeSqliteFile,
} from '../application/database/copy-sqlite-file.ts';
import { copyFiles } from '../application/maintenance/copy-files.ts';
import { findDamage } from '../application/maintenance/damage.ts';
import { describeFlaws, LIST_FILES, toKnownFile } from '../application/maintenance/known-files.ts';
import { toCommand } from '../application/settings/command.ts';
import { readConfig } from '../application/settings/config.ts';
import { type FilesPlace, nameFiles, openFiles } from '../application/settings/files-place.ts';
import { StartError } from '../application/settings/start-error.ts';
import { runCommand } from './run-command.ts';

/** The text to print at the end. */
async function makeBackup(source: string, place: FilesPlace, target: string): Promise<string> {
  const files = `${target}.files`;
  const taken = [target, files].find((path) => existsSync(path));
  if (taken !== undefined) {
    throw new StartError(`Cannot back up to ${taken}: there is a file already. Name a new file.`);
  }
  if (!existsSync(source)) {
    throw new StartError(
      `Cannot back up ${source}: there is no such file. Set DATABASE_URL to the same value as for the service.`,
    );
  }
  const partial = `${target}.partial`;
  await copySqliteFile(source, partial).catch((error) => {
    throw explain(error, target, partial);
  });
  try {
    const { counts, flaws } = await copyAll(partial, place, files);
    syncPath(partial);
    publishFile(partial, target);
    const megabytes = (statSync(target).size / 1_000_000).toFixed(1);
    const lost = flaws.map((flaw) => ` ${flaw}`).join('');
    return `Backed up ${counts} to ${target} (${megabytes} MB); the copy was checked and is intact.${lost}`;
  } catch (error) {
    removeSqliteFile(partial);
    rmSync(files, { recursive: true, force: true });
    throw explain(error as NodeJS.ErrnoException, target, partial);
  }
}

function explain(error: NodeJS.ErrnoException, target: string, partial: string): Error {
  if (error.code === 'ERR_SQLITE_ERROR')
    return new StartError(`Cannot back up the database: ${error}`);
  if (error.syscall === undefined) return error;
  return new StartError(
    error.code === 'EEXIST'
      ? `Cannot back up to ${target}: another backup to it is running or was interrupted. If it was interrupted, remove ${partial}.`
      : `Cannot back up to ${target}: ${error.message}. Give a writable path.`,
  );
}

function say(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Checks the copy, and copies its files. Says what is in both; rejects if the copy is not intact. */
async function copyAll(file: string, place: FilesPlace, target: string) {
  const database = new DatabaseSync(file);
  try {
    // One file that can be copied further, without a log and shared memory beside it.
    database.exec('pragma journal_mode = delete');
    const problem = findDamage(database);
    if (problem !== null) {
      throw new StartError(
        `Cannot use the copy: it is damaged, as the database may be: ${problem}. Restore the last good backup.`,
      );
    }
    const count = (table: string) =>
      Number(database.prepare(`select count(*) as count from ${table}`).get()?.['count']);
    const checked = await copyFiles(listFiles(database), openFiles(place), createFolder(target));
    const rows = `${say(count('items'), 'item')} and ${say(count('accounts'), 'account')}`;
    const counts = checked.count === 0 ? rows : `${rows} and ${say(checked.count, 'file')}`;
    return { counts, flaws: describeFlaws(checked, nameFiles(place)) };
  } finally {
    database.close();
  }
}

/** The framework makes its table when it is first used. */
function listFiles(database: DatabaseSync) {
  const table = "select 1 from sqlite_master where name = 'seeother_files'";
  if (database.prepare(table).get() === undefined) return [];
  return database.prepare(LIST_FILES).all().map(toKnownFile);
}

async function run([target, ...others]: readonly string[]): Promise<void> {
  if (target === undefined || target === '' || others.length > 0) {
    throw new StartError(`Cannot back up: name one new file. Use "${toCommand('backup <file>')}".`);
  }
  if (/^postgres(ql)?:/.test(process.env['DATABASE_URL'] ?? '')) {
    throw new StartError(
      'Cannot back up PostgreSQL: this copies a SQLite file. Use pg_dump --format=custom, and point-in-time recovery.',
    );
  }
  const config = readConfig(process.env);
  const source = resolve(config.databaseUrl.slice('sqlite:'.length));
  process.stdout.write(`${await makeBackup(source, config, resolve(target))}\n`);
}

await runCommand(run);
