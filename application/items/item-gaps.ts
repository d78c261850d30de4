/**
 * The number of items, and the position of each, newest first, without reading items. Item numbers have
 * no gaps except for deleted items. `item_gaps` counts the deleted ones per thousand numbers; it is
 * empty until something is deleted.
 */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';

/** Numbers per block; the migration and its trigger use the same value. */
export const BLOCK = 1_000;

export interface Gap {
  /** Block 0 begins with number 1. */
  readonly block: number;
  /** How many numbers of the block are deleted. */
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
  /** The position after skipping so many items, newest first. */
  readonly findPosition: (numbering: Numbering, skipped: number) => Promise<Position>;
}

/**
 * Blocks per group. A million numbers have a thousand blocks; reading them all would cost as much as the
 * rest of a page. So the database adds up each group, and only the blocks of one group are read.
 */
const GROUP = 50;

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
  const sumGroups = statement(selectGroups);
  const findBlocks = statement(selectBlocks);
  return {
    numbering: async () => (await findNumbering.first({})) ?? { highest: 0, gone: 0 },
    async findPosition({ highest, gone }, skipped) {
      // Without gaps, and for the first page, a subtraction is enough.
      if (skipped === 0 || gone === 0) return positionAfter(highest, [], skipped, BLOCK);
      const position = positionAfter(highest, await sumGroups.all({}), skipped, GROUP * BLOCK);
      if (position.offset === 0) return position;
      const last = Math.floor((position.from - 1) / BLOCK);
      const blocks = await findBlocks.all({ first: last - (last % GROUP), last });
      return positionAfter(position.from, blocks, position.offset, BLOCK);
    },
  };
}

/** Highest first. For a "group by" SQLite would sort all blocks; each of these sums reads a range of the key. */
function selectGroups(read: Kysely<Schema>) {
  const size = sql.lit(GROUP);
  const groups = sql<{ block: number; gone: number }>`(
    with recursive groups (block) as (
      select max(block) / ${size} from item_gaps union all select block - 1 from groups where block > 0
    )
    select block, (select cast(coalesce(sum(gone), 0) as bigint) from item_gaps
      where item_gaps.block >= groups.block * ${size}
      and item_gaps.block < (groups.block + 1) * ${size}) as gone
    from groups where block is not null)`;
  return read
    .selectFrom(groups.as('one'))
    .select(['one.block', 'one.gone'])
    .orderBy('one.block', 'desc');
}

function selectBlocks(
  read: Kysely<Schema>,
  { first, last }: Placeholders<{ readonly first: number; readonly last: number }>,
) {
  return read
    .selectFrom('item_gaps')
    .select(['block', 'gone'])
    .where('block', '>=', first)
    .where('block', '<=', last)
    .orderBy('block', 'desc');
}

export function countItems({ highest, gone }: Numbering): number {
  return highest - gone;
}

/** The position after skipping a number of items, newest first. */
export interface Position {
  /** All remaining items have this number or a lower one. */
  readonly from: number;
  /** How many of them still have to be skipped: fewer than a block. */
  readonly offset: number;
}

/** A block has `size` numbers. The gaps are given with the highest block first. */
export function positionAfter(
  highest: number,
  gaps: readonly Gap[],
  skipped: number,
  size: number,
): Position {
  let from = highest;
  let left = skipped;
  for (const { block, gone } of gaps) {
    const last = Math.min(highest, (block + 1) * size);
    const whole = from - last;
    if (left < whole) break;
    left -= whole;
    const first = block * size + 1;
    const present = last - first + 1 - gone;
    if (left < present) return { from: last, offset: left };
    left -= present;
    from = first - 1;
  }
  return { from: from - left, offset: 0 };
}
