/**
 * A database that rolls every transaction back and repeats it, as after a deadlock on PostgreSQL, or after a
 * failed write in the same transaction of SQLite. A work that changes anything but the database does so twice.
 */
import type { WriteTransaction } from 'seeother/database';
import { createDatabase } from '../database/kysely.ts';
import type { TestDatabase } from './open-test-database.ts';

class RolledBack extends Error {}

export function repeatWrites({ door, url, file }: TestDatabase): TestDatabase {
  const write: typeof door.write = async (work) => {
    const rollBack = async (transaction: WriteTransaction) => {
      await work(transaction);
      throw new RolledBack();
    };
    // An error of the work comes again.
    await door.write(rollBack).catch(() => {});
    return door.write(work);
  };
  return { ...createDatabase({ ...door, write }), url, file };
}
