/**
 * One work, in a transaction that it may share with others. A statement that fails fails its work,
 * also when the work ignores the error, as in PostgreSQL.
 */
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { fromSqlite } from './sqlite-errors.ts';
import type { RunStatement } from './sqlite-statements.ts';

/**
 * What is to be written; it may run twice. Statements are answered at once, and refused once the work
 * is over.
 */
export type Work<T> = (run: RunStatement) => Promise<T>;

/** When it rejects, what the work has written is still there. It fails without a statement for `still` milliseconds. */
export async function runWork<T>(run: RunStatement, work: Work<T>, still: number): Promise<T> {
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
    return value;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** When it rejects, what the work has written is taken back, and SQLite may have ended the transaction. */
export async function runInSavepoint<T>(
  connection: DatabaseSync,
  run: RunStatement,
  work: Work<T>,
  still: number,
): Promise<T> {
  run('savepoint work', []);
  try {
    const value = await runWork(run, work, still);
    run('release work', []);
    return value;
  } catch (error) {
    takeBack(connection, run);
    throw error;
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
