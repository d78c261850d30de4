/**
 * Indexes items whose words are not in the search index as this version writes them: `words_version` is not their
 * version. These are all items after a migration that sets it to 0, and those that an older version of the application
 * has written during a rolling update. Until then a search finds them by their old words.
 *
 * Every process polls. Few items share a transaction, so that forms do not wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseUnavailable } from 'seeother/database';
import type { Database } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { ErrorEntry } from '../settings/error-line.ts';
import { rewriteWords } from './item-search.ts';
import { lockItems } from './stored-item.ts';

const BATCH = 100;
/** Milliseconds between two batches: a million items take some minutes. */
const PAUSE = 10;
/** Milliseconds between two polls. */
const POLL = 60_000;

export interface ItemIndexer {
  readonly start: () => void;
  /** Finishes the current batch. */
  readonly stop: () => Promise<void>;
}

export function createItemIndexer(
  database: Pick<Database, 'read' | 'write'>,
  report: (entry: ErrorEntry) => void,
): ItemIndexer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const count = await indexItems(database).catch((error) => {
        if (!(error instanceof DatabaseUnavailable))
          report({ message: 'Cannot index items for the search.', error });
        return 0;
      });
      await sleep(count === 0 ? POLL : PAUSE, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Indexes the next items. Resolves to their number. */
export async function indexItems({
  read,
  write,
}: Pick<Database, 'read' | 'write'>): Promise<number> {
  const find = sql<{ number: number }>`select number from items where words_version <> version
    order by number limit ${BATCH}`;
  if ((await find.execute(read)).rows.length === 0) return 0;
  return write(async (transaction) => {
    const { rows } = await find.execute(transaction);
    const items = await lockItems(
      transaction,
      rows.map(({ number }) => number),
    );
    if (items.size === 0) return 0;
    // Before the words, as in every other transaction that writes them.
    await lockRows(transaction, 'editions', ['items']);
    await rewriteWords(transaction, [...items.values()]);
    await transaction
      .updateTable('items')
      .set((row) => ({ words_version: row.ref('version') }))
      .where('number', 'in', [...items.keys()])
      .execute();
    return items.size;
  });
}
