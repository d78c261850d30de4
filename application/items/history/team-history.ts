/**
 * The history of all items. A batch is one line, at the position of its newest event. Single events and batches
 * are read newest first and merged, so a large batch costs no more than a small one.
 */
import type { Batch, Batches } from '../events/batches.ts';
import { type History, type ItemEvent, NEWEST } from '../events/item-events.ts';

export type HistoryLine =
  | { readonly id: number; readonly event: ItemEvent }
  | { readonly id: number; readonly batch: Batch };

export interface HistoryLines {
  readonly lines: readonly HistoryLine[];
  /** The id to begin the next page before; null for the last page. */
  readonly next: number | null;
}

export function createTeamHistory(
  history: Pick<History, 'ofNoBatch'>,
  batches: Pick<Batches, 'list'>,
) {
  return async (size: number, before: number = NEWEST): Promise<HistoryLines> => {
    const [single, several] = await Promise.all([
      history.ofNoBatch(size + 1, before),
      batches.list(size + 1, before),
    ]);
    const all: readonly HistoryLine[] = [
      ...single.events.map((event) => ({ id: event.id, event })),
      ...several.map((batch) => ({ id: batch.lastEvent, batch })),
    ].sort((one, other) => other.id - one.id);
    const lines = all.slice(0, size);
    return { lines, next: all.length > size ? (lines.at(-1)?.id ?? null) : null };
  };
}
