/**
 * How many items there are, and which one stands at which place, newest first, without reading any
 * of them: numbers are given without a gap, so only the numbers that are gone have to be known.
 * They are counted by the thousand in `item_gaps`, which is empty until something is deleted.
 */
import type { Database } from '../database/database.ts';

/** Numbers a block; the migration and its trigger know it too. */
export const BLOCK = 1_000;

export interface Gap {
  /** Block 0 are the numbers 1 to 1,000. */
  readonly block: number;
  /** How many of its numbers are gone. */
  readonly gone: number;
}

export interface Numbering {
  /** The highest number that was ever given; 0 before the first. */
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

/** Where to go on after skipping that many items, newest first. */
export interface Place {
  /** No item that is left has a higher number. */
  readonly from: number;
  /** How many at or below it are still to be skipped: fewer than a block. */
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
