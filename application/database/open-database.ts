/**
 * Opens the database that the configuration names and brings its tables up to date.
 *
 * SQLite runs in WAL mode, where reads go on beside a write, and with synchronous=FULL, where a
 * commit that was acknowledged survives a loss of power.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

/** Milliseconds to wait for a write of another process. */
const LOCK_TIMEOUT = 2_000;

/** `url` is `sqlite:` and a path. Rejects with a StartError that says what is wrong with it. */
export async function openDatabase(url: string): Promise<Database> {
  const file = url.slice('sqlite:'.length);
  try {
    return await openSqlite(file);
  } catch (error) {
    throw new StartError(`Cannot open the database ${file}: ${explain(error)}`, { cause: error });
  }
}

async function openSqlite(file: string): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true });
  const writer = new DatabaseSync(file, {
    timeout: LOCK_TIMEOUT,
    enableForeignKeyConstraints: true,
  });
  const write = new Kysely<Schema>({ dialect: createSqliteDialect(writer) });
  try {
    writer.exec('pragma journal_mode = wal; pragma synchronous = full;');
    await migrate(write);
    const reader = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT });
    const read = new Kysely<Schema>({ dialect: createSqliteDialect(reader) });
    return {
      read,
      write: (work) => write.transaction().execute(work),
      async close() {
        await read.destroy();
        await write.destroy();
      },
    };
  } catch (error) {
    if (writer.isOpen) writer.close();
    throw error;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES:
    'the folder may not be written to. Change its rights, or set DATABASE_URL to another path.',
  EEXIST:
    'a part of the path is a file where a folder is needed. Set DATABASE_URL to another path.',
  ENOTDIR:
    'a part of the path is a file where a folder is needed. Set DATABASE_URL to another path.',
  EROFS: 'the disk can only be read. Set DATABASE_URL to a path on another one.',
};

/** SQLite's own primary result codes. */
const SQLITE_ADVICE: Readonly<Record<number, string>> = {
  5: 'another program holds it locked. End that program, or wait until it is done.',
  8: 'it can only be read. Change the rights of the file and of its folder.',
  11: 'it is damaged. Restore it from a backup.',
  13: 'the disk is full. Make room, and start again.',
  14: 'the file cannot be opened or made. Check that its folder may be written to, or set DATABASE_URL to another path.',
  26: 'the file is not a SQLite database. Set DATABASE_URL to another path.',
};

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errcode } = error as Error & { readonly code?: string; readonly errcode?: number };
  return ADVICE[code ?? ''] ?? SQLITE_ADVICE[(errcode ?? 0) & 0xff] ?? error.message;
}
