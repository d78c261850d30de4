/** Copies a SQLite file while other connections write. Only this user can read the copy. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { syncPath } from 'seeother/sqlite';

/** All pages in one step, in another thread. Between steps, a write would restart the copy. */
const ALL_PAGES = 2_147_483_647;

/** Copies a snapshot of the database to a new file and syncs it. Removes the file if it fails. */
export async function copySqliteFile(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  try {
    using database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
    await backup(database, target, { rate: ALL_PAGES });
    syncPath(target);
  } catch (error) {
    removeSqliteFile(target);
    throw error;
  }
}

/** Renames a synced file and syncs its folder, so that the name survives a power loss. */
export function publishFile(file: string, name: string): void {
  renameSync(file, name);
  syncPath(dirname(name));
}

export function removeSqliteFile(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

/**
 * Copies the database before a migration. Call the returned function after the migration: it gives
 * the copy its final name. Until then, the next attempt replaces the copy, so a migration that
 * fails repeatedly leaves only one.
 */
export async function copyBeforeMigration(file: string, next: string): Promise<() => string> {
  const unused = `${file}.before-migration`;
  removeSqliteFile(unused);
  await copySqliteFile(file, unused);
  const time = new Date().toISOString().replaceAll(/:|\.\d+/g, '');
  return () => {
    const name = `${file.replace(/\.db$/, '')}-before-${next}-${time}.db`;
    publishFile(unused, name);
    return name;
  };
}
