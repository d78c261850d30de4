/**
 * The door for writes, the same for both engines. Work that another writer got in the way of is run
 * again.
 *
 * The hard case: a write inside the work of another one. On SQLite it would wait for the end of the
 * work that waits for it, so it is refused, whatever the engine.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Database } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** Serialization failure and deadlock: PostgreSQL asks to try again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const MOST_TRIES = 5;
/** Milliseconds; up to twice as much, so that two writers do not meet again. */
const PAUSE = 10;

/** `writeOnce` runs the work in one transaction, once. */
export function createWrite(writeOnce: Database['write']): Database['write'] {
  const writing = new AsyncLocalStorage<{ isOver: boolean }>();
  return async (work) => {
    if (writing.getStore()?.isOver === false) {
      throw new Error(
        'Cannot write inside the work of another write: it would wait for itself. Use the transaction that the work was given.',
      );
    }
    for (let tries = 1; ; tries++) {
      const state = { isOver: false };
      try {
        return await writeOnce((transaction) => writing.run(state, work, transaction));
      } catch (error) {
        if (!TRY_AGAIN.has(codeOf(error))) throw error;
        if (tries === MOST_TRIES) {
          throw new DatabaseUnavailable('other writers were in the way again and again.', {
            cause: error,
          });
        }
        await setTimeout(PAUSE * tries * (1 + Math.random()));
      } finally {
        state.isOver = true;
      }
    }
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as { readonly code?: unknown }).code) : '';
}
