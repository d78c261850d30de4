/**
 * The check of readiness: a read and no write, since load balancers ask every second, and a full disk or a
 * locked file shall not take away the pages as well. All that ask at once share one check.
 */
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** `guard` comes before the read, and throws when there is nothing to read. */
export function createCheck(read: Kysely<Schema>, guard: () => void = () => {}): Database['check'] {
  let underWay: Promise<void> | null = null;
  const look = async () => {
    guard();
    await read.selectFrom('counters').select('name').limit(1).execute();
  };
  return () => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
