/**
 * Copies the files of forms to a backup: those that the copied database knows, and the mark of their folder, without
 * which a restored service stores none. Bytes are never changed after they were
 * written, and removed before their record, so a file that is not there has ended since, unless it is a kept one.
 */
import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { syncPath } from 'seeother/sqlite';

export interface CopiedFiles {
  readonly count: number;
  /** Kept files without bytes. */
  readonly missing: number;
}

const MARK = 'files-of-this-site.txt';

/** Makes the folder `target`, unless nothing was ever stored. */
export function copyFiles(copy: DatabaseSync, folder: string, target: string): CopiedFiles {
  let count = 0;
  let missing = 0;
  for (const { key, isKept } of listFiles(copy)) {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const file = join(target, key);
    try {
      copyFileSync(join(folder, key), file, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (isKept) missing++;
      continue;
    }
    syncPath(file);
    count++;
  }
  const mark = join(folder, MARK);
  if (existsSync(mark)) {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    copyFileSync(mark, join(target, MARK));
    syncPath(target);
  } else if (count > 0) syncPath(target);
  else rmSync(target, { recursive: true, force: true });
  return { count, missing };
}

function listFiles(database: DatabaseSync): readonly { key: string; isKept: boolean }[] {
  // The framework makes its table when it is first used.
  const table = "select 1 from sqlite_master where name = 'seeother_files'";
  if (database.prepare(table).get() === undefined) return [];
  const rows = database
    .prepare(
      "select key, min(expires_at is not null) as parked from seeother_files where key <> '' group by key",
    )
    .all();
  return rows.map(({ key, parked }) => ({ key: String(key), isKept: parked === 0 }));
}
