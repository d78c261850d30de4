/**
 * Preloaded into a server that is compared, of whichever commit: answers each message of its parent with what the
 * process has counted. Statements are counted from the first message `statements` on, because counting costs time.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

export interface Counts {
  /** Microseconds of all threads, those that have ended included. */
  readonly cpu: number;
  /** Bytes that are resident. */
  readonly memory: number;
  /** Bytes on the heap of the main thread, freed ones included. */
  readonly allocated: number;
  readonly statements: number;
  /** Those that a statement has returned. */
  readonly rows: number;
}

let statements = 0;
let rows = 0;

function countStatements(): void {
  for (const [type, names] of [
    [StatementSync, ['all', 'get', 'run', 'iterate']],
    [DatabaseSync, ['exec']],
  ] as const) {
    const methods = type.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
    for (const name of names) {
      const method = methods[name];
      methods[name] = function count(...values) {
        statements++;
        const result = method?.apply(this, values);
        if (name === 'all') rows += (result as readonly unknown[]).length;
        else if (name === 'get' && result !== undefined) rows++;
        return result;
      };
    }
  }
}

if (isMainThread) {
  process.on('message', (message) => {
    if (message === 'statements') countStatements();
    const { user, system } = process.cpuUsage();
    const heap = getHeapStatistics() as unknown as Record<string, number>;
    process.send?.({
      cpu: user + system,
      memory: process.memoryUsage.rss(),
      allocated: heap['total_allocated_bytes'] ?? Number.NaN,
      statements,
      rows,
    } satisfies Counts);
  });
}
