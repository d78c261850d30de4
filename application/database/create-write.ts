/**
 * The door for writes, the same for both engines. Work that another writer got in the way of is run
 * again. A connection that breaks during the commit leaves it open whether the work was saved: the
 * error says so, and the receipt of a form makes it safe to send it again.
 */
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database, Writing } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import type { Schema } from './schema.ts';

/** Serialization failure and deadlock: PostgreSQL asks to try again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const MOST_TRIES = 5;
/** Milliseconds; up to twice as much, so that two writers do not meet again. */
const PAUSE = 10;

export function createWrite(database: Kysely<Schema>): Database['write'] {
  return async (work) => {
    for (let tries = 1; ; tries++) {
      try {
        return await writeOnce(database, work);
      } catch (error) {
        if (!TRY_AGAIN.has(codeOf(error))) throw error;
        if (tries === MOST_TRIES) {
          throw new DatabaseUnavailable('other writers were in the way again and again.', {
            cause: error,
          });
        }
        await setTimeout(PAUSE * tries * (1 + Math.random()));
      }
    }
  };
}

/** Writes and takes back: what only reads would not see a full disk. */
export function createCheck({ read, write }: Pick<Database, 'read' | 'write'>): Database['check'] {
  return async () => {
    await read.selectFrom('counters').select('name').limit(1).execute();
    await write(async (transaction) => {
      await transaction.insertInto('counters').values({ name: 'check', value: 0 }).execute();
      await transaction.deleteFrom('counters').where('name', '=', 'check').execute();
    });
  };
}

async function writeOnce<T>(
  database: Kysely<Schema>,
  work: (transaction: Writing) => Promise<T>,
): Promise<T> {
  let committing = false;
  try {
    return await database
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        const result = await work(transaction);
        committing = true;
        return result;
      });
  } catch (error) {
    if (!committing || !(error instanceof DatabaseUnavailable)) throw error;
    throw new DatabaseUnavailable('it was lost while it saved.', {
      cause: error,
      outcome: 'unknown',
    });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as { readonly code?: unknown }).code) : '';
}
