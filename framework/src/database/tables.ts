/** Tables that the framework's stores create themselves, in SQL for both engines. */
import type { Awaitable } from '../http/awaitable.ts';
import type { Connection, Database, WriteTransaction } from './database.ts';

/**
 * The first call of the returned function creates the table. After a failure, the next call tries again. A call in a
 * transaction creates it there, because the transaction may be rolled back, and cannot wait for another write.
 */
export function createTable<Transaction extends WriteTransaction>(
  database: Database<Transaction>,
  statements: readonly string[],
) {
  let isMade = false;
  let making: Promise<void> | null = null;
  const make = async ({ run }: Connection): Promise<void> => {
    // Without the lock, two processes could both find no table.
    if (database.engine === 'postgres') await run('select pg_advisory_xact_lock(5334303, 9)');
    for (const statement of statements) await run(statement);
  };
  const makeIn = async (transaction: Transaction): Promise<void> => {
    await make(transaction);
    transaction.onCommit(() => {
      isMade = true;
    });
  };
  return (transaction?: Transaction): Awaitable<void> => {
    if (isMade) return;
    if (transaction !== undefined) return makeIn(transaction);
    making ??= database
      .write(make)
      .then(() => {
        isMade = true;
      })
      .finally(() => {
        making = null;
      });
    return making;
  };
}
