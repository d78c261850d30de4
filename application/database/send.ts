/**
 * Statements whose answer nobody needs. PostgreSQL answers all the same; to the thread that writes to
 * SQLite they travel together with the next one that is waited for, which saves the way there and back.
 */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Writing } from './database.ts';

const SENT = Symbol('sent');

/**
 * Runs the query before all that comes after it. When it fails, so does every later statement of the
 * work, and the work itself: nothing of it is saved.
 */
export async function send(transaction: Writing, query: Compilable): Promise<void> {
  await transaction.executeQuery({ ...query.compile(), [SENT]: true } as CompiledQuery);
}

export function isSent(query: CompiledQuery): boolean {
  return SENT in query;
}
