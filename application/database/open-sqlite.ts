/**
 * SQLite: one file, with two connections for reads, and one for writes in a thread of its own, which
 * the first write starts. It runs in WAL mode, where reads go on beside a write, and with
 * synchronous=FULL, where a commit that was acknowledged survives a loss of power.
 */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { createCheck, createWrite } from './create-write.ts';
import type { Database } from './database.ts';
import { BEGIN_SQLITE, SET_UP_SQLITE } from './engine.ts';
import { createGroupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { OpenOptions } from './open-options.ts';
import { closeToOthers, createPrivately } from './private-file.ts';
import type { Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { explainSqlite } from './sqlite-errors.ts';
import { createFileGuard } from './sqlite-file-guard.ts';
import { openSqliteReads } from './sqlite-reads.ts';
import { toTransaction } from './sqlite-transaction.ts';
import { type SqliteWriter, startSqliteWriter } from './sqlite-writer.ts';

/** `timeout` is also how long to wait for a write of another process. */
export async function openSqlite(
  file: string,
  { report, timeout }: OpenOptions,
): Promise<Database> {
  createPrivately(file);
  const thread = { file, setUp: SET_UP_SQLITE, begin: BEGIN_SQLITE, lockTimeout: timeout };
  const connection = new DatabaseSync(file, {
    timeout,
    enableForeignKeyConstraints: true,
  });
  const dialect = createSqliteDialect(connection);
  try {
    connection.exec(SET_UP_SQLITE);
    closeToOthers(file);
    await migrate(new Kysely<Schema>({ dialect }));
    const reader = new DatabaseSync(file, { readOnly: true, timeout });
    const read = new Kysely<Schema>({ dialect: createSqliteDialect(reader) });
    let writer: SqliteWriter | null = null;
    const runInTurn = createGroupCommit(() => {
      if (!writer?.isAlive()) writer = startSqliteWriter(thread);
      return writer;
    });
    const requireSameFile = createFileGuard(file, report);
    const write = createWrite(async (work) => {
      requireSameFile();
      return runInTurn((turn) => work(toTransaction(turn, dialect)));
    });
    const check = createCheck({ read, write });
    const { prepare, close: closeReads } = openSqliteReads(file, timeout, read);
    return {
      engine: 'sqlite',
      read,
      prepare,
      write,
      async check() {
        requireSameFile();
        await check();
      },
      async close() {
        closeReads();
        await read.destroy();
        await writer?.close();
        // The last one, and one that may write: it makes a single file of the database.
        connection.close();
      },
    };
  } catch (error) {
    if (connection.isOpen) connection.close();
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

export { isLocked } from './sqlite-errors.ts';

/** What is wrong with the file, in one line. */
export function explainOpening(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { readonly code?: string };
  return ADVICE[code ?? ''] ?? explainSqlite(error) ?? explainSqlite(error.cause) ?? error.message;
}
