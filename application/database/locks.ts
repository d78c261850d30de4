/**
 * Locks that a transaction holds until it ends. On SQLite, a transaction that writes holds the only lock from its
 * start, so these functions do nothing. On PostgreSQL, writers run concurrently ("read committed"), so a transaction
 * that reads a row in order to write must lock it.
 */
import { sql, type Transaction } from 'kysely';
import { isSqlite } from './kysely.ts';
import type { Schema } from './schema.ts';

/** The first key of every advisory lock, which keeps them apart from those of other programs. */
const LOCK_GROUP = 5_334_303;
/** The framework's throttle has 2. */
const LOCKS = { accounts: 1, samples: 3 };
/** The primary keys of the tables whose rows are locked. */
const KEYS = {
  accounts: 'id',
  counters: 'name',
  revisions: 'name',
  imports: 'id',
  item_events: 'id',
  item_files: 'id',
  items: 'number',
  sessions: 'key',
};

/**
 * Locks rows in the order of their keys, so that two transactions do not deadlock. Resolves to the keys of the locked
 * rows. A row that appears later, such as that of a restored item, is not locked.
 */
export async function lockRows<Key extends number | string>(
  transaction: Transaction<Schema>,
  table: keyof typeof KEYS,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  if (isSqlite(transaction) || keys.length === 0) return keys;
  const key = sql.ref(KEYS[table]);
  const { rows } = await sql<{ found: Key }>`select ${key} as found from ${sql.table(table)}
    where ${key} in (${sql.join(keys)}) order by ${key} for no key update`.execute(transaction);
  return rows.map(({ found }) => found);
}

/** For decisions that depend on the absence of a row. Other transactions that take the lock wait for this one. */
export async function takeLock(
  transaction: Transaction<Schema>,
  name: keyof typeof LOCKS,
): Promise<void> {
  if (isSqlite(transaction)) return;
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_GROUP)}, ${sql.lit(LOCKS[name])})`.execute(
    transaction,
  );
}
