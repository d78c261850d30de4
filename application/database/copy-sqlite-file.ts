/** Copies of a SQLite file, made while other connections write, that nobody but this user may read. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/** All pages in one step, on another thread: between steps a write would make it begin again. */
const ALL_PAGES = 2_147_483_647;

/** Copies the database as it is at one moment to a new file, and syncs it. A copy that fails is removed. */
export async function copySqliteFile(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  try {
    await copyPages(source, target);
    syncPath(target);
  } catch (error) {
    removeSqliteFile(target);
    throw error;
  }
}

async function copyPages(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  try {
    await backup(database, target, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

/** Gives a synced file the name under which it is to be found, also after a loss of power. */
export function publishFile(file: string, name: string): void {
  renameSync(file, name);
  syncPath(dirname(name));
}

export function removeSqliteFile(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

/** A file, or a folder with the names in it. */
export function syncPath(path: string): void {
  // Windows has no handle on a folder, and flushes only what may be written to.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Copies the database before it is migrated. Until the returned function is called, after the migration,
 * the copy has a name that the next attempt replaces: a migration that fails again and again leaves one.
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
