/**
 * The number of items, and the position of each, newest first, without reading items. Item numbers have
 * no gaps except for deleted items. `item_gaps` counts the deleted ones per thousand numbers; it is
 * empty until something is deleted.
 */
import { sql } from 'kysely';
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
  /** How many of the numbers are deleted. */
  readonly gone: number;
}

export interface NumberingReader {
  readonly numbering: () => Promise<Numbering>;
  /**
   * Highest block first. A million items with deleted ones among them have a thousand, whose reading costs more
   * than a page of the list: so only pages after the first read them.
   */
  readonly gaps: () => Promise<readonly Gap[]>;
}

export function createNumberingReader({ statement }: Pick<Database, 'statement'>): NumberingReader {
  const findNumbering = statement((read) =>
    read
      .selectFrom('counters')
      .select('value as highest')
      .select(
        sql<number>`(select cast(coalesce(sum(gone), 0) as bigint) from item_gaps)`.as('gone'),
      )
      .where('name', '=', 'items'),
  );
  const findGaps = statement((read) =>
    read.selectFrom('item_gaps').select(['block', 'gone']).orderBy('block', 'desc'),
  );
  return {
    numbering: async () => (await findNumbering.first({})) ?? { highest: 0, gone: 0 },
    gaps: () => findGaps.all({}),
  };
}

export function countItems({ highest, gone }: Numbering): number {
  return highest - gone;
}

/** The position after skipping a number of items, newest first. */
export interface Place {
  /** All remaining items have this number or a lower one. */
  readonly from: number;
  /** How many of them still have to be skipped: fewer than a block. */
  readonly offset: number;
}

export function placeAfter(highest: number, gaps: readonly Gap[], skipped: number): Place {
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
