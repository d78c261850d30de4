/**
 * Opens PostgreSQL with separate pools. Reads and writes have one each, so that a read never waits for writes, and
 * a write that also reads outside its transaction does not wait for itself. Slow reads have their own, so that
 * nothing waits for them, and so do checks, so that they wait for nothing.
 */
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
import { createWrite, type OpenTransaction, runWork } from '../database/write.ts';
import { checkOptions, describeValue } from '../http/check-options.ts';
import type { Access } from './connection.ts';
import type { Pool } from './pool.ts';
import type { PostgresAddress } from './url.ts';

/** Connections of a process. */
export const CONNECTIONS = { read: 5, slowRead: 2, write: 5, check: 1 };

/**
 * Connects to the first writable server of the address. Rejects if there is none, or if it acknowledges commits
 * before they are on disk (`synchronous_commit` is off).
 */
export async function openPostgres(
  address: PostgresAddress,
  options: OpenOptions = {},
): Promise<Database> {
  if (!Array.isArray(address?.hosts)) {
    throw new TypeError(
      `Cannot open PostgreSQL with ${describeValue(address)} as the address: pass what parsePostgresUrl returns, openPostgres(parsePostgresUrl('postgres://user:password@host:5432/name')).`,
    );
  }
  checkOptions('openPostgres', options, OPEN_KINDS);
  const { timeout = 2_000, report = () => {}, migrate = async () => {} } = options;
  // Loads the driver, which only this function needs.
  const { createPool } = await import('./pool.ts');
  const reportBroken = (error: Error) => report({ message: 'A database connection broke.', error });
  const open = (access: Access, size: number) =>
    createPool(address, { access, size, report: reportBroken, timeout });
  const read = open('read', CONNECTIONS.read);
  const slowRead = open('read', CONNECTIONS.slowRead);
  const writer = open('write', CONNECTIONS.write);
  const checker = open('read', CONNECTIONS.check);
  const migrator = open('migrate', 2);
  const close = async () => {
    await Promise.all([read, slowRead, writer, checker].map((pool) => pool.end()));
  };
  try {
    await runMigration(migrator, migrate);
  } catch (error) {
    await close();
    throw error;
  } finally {
    await migrator.end();
  }
  return {
    engine: 'postgres',
    read: withoutUnhandledRejections(publishReads(read)),
    cachedRead: withoutUnhandledRejections(publishReads(read)),
    slowRead: withoutUnhandledRejections(publishReads(slowRead, 'slow read')),
    ...createWrite((work) => transact(writer, 'read committed', work), report),
    snapshot: (work) =>
      transact(read, 'repeatable read', async (connection) => {
        await connection.run('set local idle_in_transaction_session_timeout = 0');
        return work(connection);
      }),
    check: shareCheck(() => checker.run('select 1')),
    close,
  };
}

/**
 * If several instances start at once, one migrates and the others wait for it, a minute at most. A transaction of its
 * own holds the lock, so that a migration may commit, and because behind a pooler no session can hold it.
 */
async function runMigration(
  pool: Pool,
  migrate: (connection: Connection) => Promise<void>,
): Promise<void> {
  await pool.use(async ({ run, begin }) => {
    await begin('read committed');
    await run('set local idle_in_transaction_session_timeout = 0');
    await run('select pg_advisory_xact_lock(5334303, 0)');
    await pool.use(migrate);
    await run('commit');
  });
}

/**
 * If the connection breaks during the commit, the outcome is unknown. The error says so, and the receipt of a form
 * makes it safe to send the form again.
 */
function transact<T>(
  pool: Pool,
  level: string,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  return pool.use(async (connection) => {
    await connection.begin(level);
    let isCommitting = false;
    try {
      const { value, atEnd } = await runWork(connection.run, work);
      await atEnd?.();
      isCommitting = true;
      await connection.run('commit');
      return value;
    } catch (error) {
      if (isCommitting && error instanceof DatabaseUnavailable) {
        throw new DatabaseUnavailable('it was lost while it saved.', {
          cause: error,
          outcome: 'unknown',
          disk: error.disk,
        });
      }
      // A broken connection has rolled back already. Rethrow the first error, not one of the rollback.
      await connection.run('rollback').catch(() => {});
      throw error;
    }
  });
}
