/** The items of one form that changes several: how many they may be, and all that match a filter. */
import { sql } from 'kysely';
import type { Enqueue } from 'seeother/middleware';
import type { Database } from '../database/kysely.ts';
import type { DefinitionsReader } from '../own-fields/definitions.ts';
import { toDay } from '../site/format.ts';
import { PAGE_SIZE } from './item-list.ts';
import { selectFound } from './item-matches.ts';
import type { ItemQuery } from './item-query.ts';
import { knowOwn } from './match-own.ts';

/** Items of one form. Other writes wait while it changes them. See docs/decisions/history.md. */
export const MAX_SELECTED = 500;

/** Items on a page with a checkbox for each. */
export const SELECT_SIZE = 100;

/** The page of items to select that has the items of a page of the list, which has fewer. */
export function toSelectPage(listPage: number): number {
  return Math.ceil((listPage * PAGE_SIZE) / SELECT_SIZE);
}

/** At most one more than `MAX_SELECTED`. Rejects with QueueFull if too many lists are requested. */
export type FindMatching = (query: ItemQuery) => Promise<readonly number[]>;

export function createFindMatching(
  { slowRead }: Pick<Database, 'slowRead'>,
  definitions: Pick<DefinitionsReader, 'read' | 'known'>,
  now: () => Date,
  queueSearch: Enqueue,
): FindMatching {
  return (query) =>
    queueSearch(async () => {
      const known = await knowOwn(definitions, query);
      const { found } = await selectFound(slowRead, known, toDay(now()));
      const { rows } = await sql<{ number: number }>`${found}
        limit ${MAX_SELECTED + 1}`.execute(slowRead);
      return rows.map(({ number }) => number);
    });
}
