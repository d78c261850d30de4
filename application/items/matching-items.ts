/**
 * All items that match a filter, to change them with one form. The page shows their number, and its form carries a
 * hash of their item numbers, so that exactly these items are changed.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import { toDay } from '../site/format.ts';
import { type ItemQuery, selectFound } from './item-list.ts';
import type { QueueSearch } from './search-queue.ts';

/** Other writes wait while a form changes its items. See docs/decisions/history.md. */
export const MAX_MATCHING = 500;

export interface MatchingItems {
  readonly numbers: readonly number[];
  /** SHA-256 of the numbers. */
  readonly hash: string;
}

/**
 * Resolves to null if more than `MAX_MATCHING` items match. Rejects with SearchQueueFull if too many lists are
 * requested.
 */
export type FindMatching = (query: ItemQuery) => Promise<MatchingItems | null>;

export function createFindMatching(
  { slowRead }: Pick<Database, 'slowRead'>,
  now: () => Date,
  queueSearch: QueueSearch,
): FindMatching {
  return (query) =>
    queueSearch(async () => {
      const found = await selectFound(slowRead, query, toDay(now()));
      const { rows } = await sql<{ number: number }>`${found}
        limit ${MAX_MATCHING + 1}`.execute(slowRead);
      if (rows.length > MAX_MATCHING) return null;
      const numbers = rows.map(({ number }) => number);
      return { numbers, hash: createHash('sha256').update(numbers.join()).digest('hex') };
    });
}
