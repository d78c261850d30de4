/** Tables that the framework's stores make themselves, in SQL that both engines read. */
import type { Database } from './database.ts';

/** The function makes the table when it is first called; it does so again when that has failed. */
export function createTable(database: Database, statements: readonly string[]) {
  let making: Promise<void> | null = null;
  const make = (): Promise<void> =>
    database.write(async ({ run }) => {
      // Two processes at once would both find no table.
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

/** A `?` stands for each value. Our statements have no other. */
export function toPlaceholders({ engine }: Pick<Database, 'engine'>, sql: string): string {
  let count = 0;
  return engine === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++count}`);
}
