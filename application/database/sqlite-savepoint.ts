/**
 * One work in a savepoint of its own: when it fails, all that it wrote is taken back, and nothing of
 * the other works in the transaction. A statement that fails fails its work, also when the work
 * ignores the error, as in PostgreSQL.
 */
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { fromSqlite } from './sqlite-errors.ts';
import type { RunStatement } from './sqlite-statements.ts';

/** What is to be written. Statements are answered at once, and refused once the work is over. */
export type Work<T> = (run: RunStatement) => Promise<T>;

/**
 * The connection is in a transaction, which may have ended when this rejects. A work that runs no
 * statement for `still` milliseconds fails.
 */
export async function runInSavepoint<T>(
  connection: DatabaseSync,
  run: RunStatement,
  work: Work<T>,
  still: number,
): Promise<T> {
  run('savepoint work', []);
  let isOver = false;
  const failures: unknown[] = [];
  const { promise: stoodStill, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new DatabaseUnavailable('what was to be written did not come in time.'));
  }, still);

  const runInWork: RunStatement = (sql, parameters) => {
    if (isOver) {
      throw new Error(
        `Cannot run ${sql}: the transaction is over. Await every statement inside the work.`,
      );
    }
    if (failures.length > 0) throw failures[0];
    timer.refresh();
    try {
      return run(sql, parameters);
    } catch (error) {
      failures.push(fromSqlite(error));
      throw failures[0];
    }
  };

  try {
    const value = await Promise.race([work(runInWork), stoodStill]);
    if (failures.length > 0) throw failures[0];
    run('release work', []);
    return value;
  } catch (error) {
    takeBack(connection, run);
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

function takeBack(connection: DatabaseSync, run: RunStatement): void {
  // After some errors, such as a full disk, SQLite has ended the whole transaction.
  if (!connection.isTransaction) return;
  try {
    run('rollback to work', []);
    run('release work', []);
  } catch {
    connection.exec('rollback');
  }
}
