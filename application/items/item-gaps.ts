/**
 * The number of items, and the position of each, newest first, without reading items. Item numbers have
 * no gaps except for deleted items. `item_gaps` counts the deleted ones per thousand numbers; it is
 * empty until something is deleted.
 */
import type { Database } from '../database/database.ts';

/** Numbers per block; the migration and its trigger use the same value. */
export const BLOCK = 1_000;

export interface Gap {
  /** Block 0 has the numbers 1 to 1,000. */
  readonly block: number;
  /** How many of its numbers are deleted. */
  readonly gone: number;
}

export interface Numbering {
  /** The highest number ever assigned; 0 before the first item. */
  readonly highest: number;
  /** Highest block first. */
  readonly gaps: readonly Gap[];
}

export function createNumberingReader({
  statement,
}: Pick<Database, 'statement'>): () => Promise<Numbering> {
  const findHighest = statement((read) =>
    read.selectFrom('counters').select('value').where('name', '=', 'items'),
  );
  const findGaps = statement((read) =>
    read.selectFrom('item_gaps').select(['block', 'gone']).orderBy('block', 'desc'),
  );
  return async () => {
    const counter = await findHighest.first({});
    return { highest: counter?.value ?? 0, gaps: await findGaps.all({}) };
  };
}

export function countItems({ highest, gaps }: Numbering): number {
  return gaps.reduce((count, { gone }) => count - gone, highest);
}

/** The position after skipping a number of items, newest first. */
export interface Place {
  /** All remaining items have this number or a lower one. */
  readonly from: number;
  /** How many of them still have to be skipped: fewer than a block. */
  readonly offset: number;
}

export function placeAfter({ highest, gaps }: Numbering, skipped: number): Place {
  let from = highest;
  let left = skipped;
  for (const { block, gone } of gaps) {
    const last = Math.min(highest, (block + 1) * BLOCK);
    const whole = from - last;
    if (left < whole) break;
    left -= whole;
    const first = block * BLOCK + 1;
    const present = last - first + 1 - gone;
    if (left < present) return { from: last, offset: left };
    left -= present;
    from = first - 1;
  }
  return { from: from - left, offset: 0 };
}
