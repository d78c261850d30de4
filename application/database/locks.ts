/**
 * Locks of a transaction. On SQLite it holds the one lock for writing from its start, so these do nothing. On
 * PostgreSQL writers run beside each other ("read committed"), so a transaction that reads in order to write
 * locks what it reads.
 */
import { sql, type Transaction } from 'kysely';
import { isSqlite } from './kysely.ts';
import type { Schema } from './schema.ts';

/** Before the number of a lock, so that other programs in the same database have other locks. */
const LOCK_GROUP = 5_334_303;
const LOCKS = { accounts: 1, tries: 2, samples: 3 };
/** The primary keys of the tables whose rows are locked. */
const KEYS = {
  accounts: 'id',
  editions: 'name',
  imports: 'id',
  item_events: 'id',
  items: 'number',
  sessions: 'key',
};

/**
 * Changes to the rows by others wait until the transaction ends. Rows are locked in the order of their keys,
 * so that two transactions never wait for each other. Resolves to the keys of the rows that it has locked: a
 * row that comes back after it, as that of a deleted item may, is not locked.
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

/** For decisions by the absence of a row: other transactions that take the lock wait for this one. */
export async function takeLock(
  transaction: Transaction<Schema>,
  name: keyof typeof LOCKS,
): Promise<void> {
  if (isSqlite(transaction)) return;
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_GROUP)}, ${sql.lit(LOCKS[name])})`.execute(
    transaction,
  );
}
