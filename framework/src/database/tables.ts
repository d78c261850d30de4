/** Tables that the framework's stores create themselves, in SQL for both engines. */
import type { Database, WriteTransaction } from './database.ts';

/** The first call of the returned function creates the table. After a failure, the next call tries again. */
export function createTable<Transaction extends WriteTransaction>(
  database: Database<Transaction>,
  statements: readonly string[],
) {
  let making: Promise<void> | null = null;
  const make = (): Promise<void> =>
    database.write(async ({ run }) => {
      // Without the lock, two processes could both find no table.
      if (database.engine === 'postgres') await run('select pg_advisory_xact_lock(5334303, 9)');
      for (const statement of statements) await run(statement);
    });
  return (): Promise<void> => {
    making ??= make().catch((error) => {
      making = null;
      throw error;
    });
    return making;
  };
}

/** Turns each `?` into the placeholder of the engine. Our statements have no other `?`. */
export function toPlaceholders({ engine }: Pick<Database, 'engine'>, sql: string): string {
  let count = 0;
  return engine === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++count}`);
}
