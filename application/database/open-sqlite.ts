/**
 * SQLite: one file, with one connection for writes and two for reads, all in this thread; searches have
 * a thread with a connection of its own. In WAL mode reads go on beside a write. A commit is synced before its caller hears of it (group-commit.ts), so
 * that it survives a loss of power; reads may see it a moment earlier.
 */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { OUT_OF_DESCRIPTORS } from '../process/descriptors.ts';
import { copyBeforeMigration } from './copy-sqlite-file.ts';
import { createCheck } from './create-check.ts';
import { createWrite } from './create-write.ts';
import type { Database } from './database.ts';
import { SET_UP_SQLITE } from './engine.ts';
import { createGroupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { OpenOptions } from './open-options.ts';
import { closeToOthers, createPrivately } from './private-file.ts';
import type { Schema } from './schema.ts';
import { createCheckpoints } from './sqlite-checkpoint.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { explainSqlite, fromSqlite } from './sqlite-errors.ts';
import { createFileGuard } from './sqlite-file-guard.ts';
import { openSqliteLog } from './sqlite-log.ts';
import { cacheReads } from './sqlite-read-cache.ts';
import { createSlowReadDialect } from './sqlite-slow-reads.ts';
import { keepStatements } from './sqlite-statements.ts';
import { toTransaction } from './sqlite-transaction.ts';
import { createStatements } from './statement.ts';

/** `timeout` is also how long to wait for a write of another process. */
export async function openSqlite(
  file: string,
  { report, onLost, acceptsNewer, timeout }: OpenOptions,
): Promise<Database> {
  createPrivately(file);
  const connection = new DatabaseSync(file, {
    timeout,
    enableForeignKeyConstraints: true,
  });
  const dialect = createSqliteDialect(connection);
  try {
    connection.exec(SET_UP_SQLITE);
    closeToOthers(file);
    await migrate(new Kysely<Schema>({ dialect }), {
      report,
      acceptsNewer,
      copy: (next) => copyBeforeMigration(file, next),
    });
    const path = connection.location() ?? file;
    const log = openSqliteLog(path);
    // What a process before this one has written may be in memory alone, and a lost write unreported.
    connection.exec('pragma wal_checkpoint(passive)');
    await log.sync();
    // From here on nothing in this thread waits for a lock: group commit tries again.
    connection.exec('pragma busy_timeout = 0');

    const checkpoints = createCheckpoints(path, report);
    const requireSameFile = createFileGuard(file, report);
    const group = createGroupCommit({
      connection,
      run: keepStatements(connection),
      requireUsable: requireSameFile,
      async sync() {
        await log.sync();
        checkpoints.note(log.size());
      },
      onLost,
      limits: { lock: timeout },
    });
    const write = createWrite((work) => group.write((run) => work(toTransaction(run, dialect))));
    const reader = new DatabaseSync(file, { readOnly: true, timeout });
    const read = new Kysely<Schema>({ dialect: createSqliteDialect(reader) });
    const slowRead = new Kysely<Schema>({ dialect: createSlowReadDialect({ file, timeout }) });
    const check = createCheck(read, requireSameFile);
    const statementReader = new DatabaseSync(file, { readOnly: true, timeout });
    const runRead = cacheReads(statementReader, keepStatements(statementReader));
    const statement = createStatements(read, async ({ sql, parameters }) => {
      try {
        return runRead(sql, parameters).rows as never;
      } catch (error) {
        throw fromSqlite(error);
      }
    });
    return {
      engine: 'sqlite',
      read,
      slowRead,
      statement,
      write,
      check,
      async close() {
        await group.finish();
        await checkpoints.close();
        statementReader.close();
        await read.destroy();
        await slowRead.destroy();
        log.close();
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
  EMFILE: OUT_OF_DESCRIPTORS,
  ENFILE: OUT_OF_DESCRIPTORS,
  ENOSPC: 'the disk is full. Make room on it.',
  EROFS: 'the disk can only be read. Set DATABASE_URL to a path on another one.',
};

export { isLocked } from './sqlite-errors.ts';

/** What is wrong with the file, in one line. */
export function explainOpening(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { readonly code?: string };
  return ADVICE[code ?? ''] ?? explainSqlite(error) ?? explainSqlite(error.cause) ?? error.message;
}
