/**
 * Rows that were read from SQLite, for as long as no connection commits anything. A hit takes a fifth of
 * the time of a read.
 *
 * The version that is checked may be older than the rows that are read after it, never newer: the next
 * check then clears them without need.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Result } from '../database/database.ts';
import type { RunStatement } from './statements.ts';

/** A result without rows counts as one. */
const MAX_ROWS = 1_000;

/** The connection is never inside a transaction. */
export function cacheReads(connection: DatabaseSync, run: RunStatement): RunStatement {
  const results = new Map<string, Map<unknown, Result<never>>>();
  // Another number when a connection of any process has committed.
  const readVersion = connection.prepare('pragma data_version');
  readVersion.setReturnArrays(true);
  let version: unknown;
  let size = 0;
  let isChecked = false;
  const forget = () => {
    isChecked = false;
  };

  const check = (): void => {
    const [current] = readVersion.get() as unknown as readonly [number];
    if (current !== version || size >= MAX_ROWS) {
      results.clear();
      size = 0;
    }
    version = current;
    isChecked = true;
    // Forgotten when everything that is ready has run, as the reads of one request do. Until then the event
    // loop reads no request: no client can know of a newer commit.
    queueMicrotask(() => process.nextTick(forget));
  };

  return (sql, values = []) => {
    if (!isChecked) check();
    const key = values.length === 1 ? values[0] : JSON.stringify(values);
    let known = results.get(sql);
    if (known === undefined) {
      known = new Map();
      results.set(sql, known);
    }
    const result = known.get(key);
    if (result !== undefined) return result;
    // These rows may be newer than the others: the next read checks again.
    isChecked = false;
    const read = run(sql, values);
    known.set(key, read);
    size += Math.max(1, read.rows.length);
    return read;
  };
}
