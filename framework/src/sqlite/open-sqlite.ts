/**
 * Opens a SQLite file with one connection for writes and one for reads in this thread, and one in another thread
 * for slow reads. In WAL mode, reads do not wait for a write. A commit is synced before its caller gets a result, so
 * it survives a power loss.
 */
import { DatabaseSync } from 'node:sqlite';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  OPEN_KINDS,
  type OpenOptions,
  shareCheck,
  withoutUnhandledRejections,
} from '../database/database.ts';
import { publishReads } from '../database/publish-queries.ts';
import { createWrite, runWork } from '../database/write.ts';
import { createPublisher, timed } from '../events/events.ts';
import { addLevel } from '../events/levels.ts';
import { checkOptions, describeValue, FUNCTION, type OptionKinds } from '../http/check-options.ts';
import { createCheckpoints, SET_UP } from './checkpoints.ts';
import { fromSqlite, fromSqliteRead } from './errors.ts';
import { closeToOthers, createFileGuard, createPrivately } from './file.ts';
import { createGroupCommit } from './group-commit.ts';
import { openLog } from './log.ts';
import { cacheReads } from './read-cache.ts';
import { createSlowReads } from './slow-reads.ts';
import { prepareStatements, type RunStatement } from './statements.ts';

/** Options of `openSqlite`. */
export interface SqliteOptions extends OpenOptions {
  /**
   * Called once, after the disk has failed to save: its content is unknown, and nothing more is written.
   * The process must end.
   */
  readonly onLost?: (error: Error) => void;
}

const syncs = createPublisher('sync');

const SQLITE_KINDS = { ...OPEN_KINDS, onLost: FUNCTION } satisfies OptionKinds<SqliteOptions>;

/**
 * Opens or creates the database file. `timeout` is also how long a write waits for a write of another process.
 * Rejects with the error of SQLite or of the file system, which `explainSqlite` explains.
 */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  if (typeof file !== 'string' || file === '') {
    throw new TypeError(
      `Cannot open SQLite with ${describeValue(file)} as the file: pass its path, openSqlite('storage/site.db').`,
    );
  }
  checkOptions('openSqlite', options, SQLITE_KINDS);
  const { timeout = 2_000, report = () => {}, onLost = () => {}, migrate } = options;
  createPrivately(file);
  const writer = new DatabaseSync(file, { timeout, enableForeignKeyConstraints: true });
  const opened: { readonly close: () => unknown }[] = [writer];
  try {
    const parts = { file, timeout, report, onLost, migrate };
    const { group, checkpoints, requireSameFile } = await openWriter(writer, parts, opened);
    const reader = new DatabaseSync(file, { readOnly: true, timeout });
    opened.push(reader);
    const runRead = prepareStatements(reader);
    const slowRead = createSlowReads({ file, timeout });
    // What `migrate` or an earlier process has committed is on disk now, or after the first write.
    await group.write(async () => {}).catch(passIfNotSaved);
    opened.push({ close: addLevel('writes waiting', group.waiting) });
    return {
      engine: 'sqlite',
      read: publishReads(toReader(runRead)),
      cachedRead: { run: translated(cacheReads(reader, runRead), fromSqliteRead) },
      slowRead: publishReads(slowRead, 'slow read'),
      ...createWrite(group.write, report),
      async snapshot(work) {
        const connection = new DatabaseSync(file, { readOnly: true, timeout });
        try {
          connection.exec('begin');
          return (await runWork(toReader(prepareStatements(connection)).run, work)).value;
        } finally {
          connection.close();
        }
      },
      check: shareCheck(async () => {
        requireSameFile();
        await toReader(runRead).run('select count(*) from sqlite_schema');
      }),
      async close() {
        await group.finish();
        await checkpoints.close();
        await slowRead.close();
        // The connection for writes is closed last: SQLite then copies the log into the file and deletes it.
        for (const one of opened.toReversed()) one.close();
      },
    };
  } catch (error) {
    for (const one of opened.toReversed()) one.close();
    throw error;
  }
}

interface WriterOptions extends Required<Pick<SqliteOptions, 'timeout' | 'report' | 'onLost'>> {
  readonly file: string;
  readonly migrate: SqliteOptions['migrate'];
}

/** Group commit on the connection for writes, which does not sync by itself: the log does, for all writes together. */
async function openWriter(
  writer: DatabaseSync,
  { file, timeout, report, onLost, migrate }: WriterOptions,
  opened: { readonly close: () => unknown }[],
) {
  writer.exec(SET_UP);
  closeToOthers(file);
  const run = prepareStatements(writer);
  await migrate?.(toConnection(run));
  // The first read creates the log.
  run('select count(*) from sqlite_schema');
  const path = writer.location() ?? file;
  const log = openLog(path);
  opened.push(log);
  // From here on, no call in this thread blocks on a lock: group commit retries instead.
  writer.exec('pragma busy_timeout = 0');
  const checkpoints = createCheckpoints(path, report);
  const requireSameFile = createFileGuard(file, report);
  const group = createGroupCommit({
    connection: writer,
    run,
    requireUsable: requireSameFile,
    // After a failed sync of an earlier process, a checkpoint would leave a hole in the log beside a reader.
    prepare: log.rewrite,
    async sync() {
      await timed(log.sync, (time) => syncs.publish({ time }));
      checkpoints.note(log.size());
    },
    onLost,
    limits: { lock: timeout },
  });
  return { group, checkpoints, requireSameFile };
}

/** For example, another process holds the lock. Reads are possible, and each write tries again. */
function passIfNotSaved(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable) || error.outcome !== 'not saved') throw error;
}

function toReader(run: RunStatement): Connection {
  return withoutUnhandledRejections(toConnection(run, fromSqliteRead));
}

/** Statements of SQLite are synchronous. */
function toConnection(
  run: RunStatement,
  translate: Translate = (error) => fromSqlite(error),
): Connection {
  const runTranslated = translated(run, translate);
  return { run: async (sql, values) => runTranslated(sql, values) };
}

type Translate = (error: unknown, sql: string) => unknown;

function translated(run: RunStatement, translate: Translate): RunStatement {
  return (sql, values) => {
    try {
      return run(sql, values);
    } catch (error) {
      throw translate(error, sql);
    }
  };
}
