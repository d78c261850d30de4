/**
 * The filters for items that are lent, overdue or running low. Each has a partial index, which the engines use
 * only for a condition that is written as in the migration (0007-loans.ts).
 */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import type { ItemInput } from './item-fields.ts';

export const STATUSES = ['lent', 'low', 'overdue'] as const;
export type ItemStatus = (typeof STATUSES)[number];

export const STATUS_NAMES: Readonly<Record<ItemStatus, string>> = {
  lent: 'Lent',
  low: 'Low',
  overdue: 'Overdue',
};

export function isLow({ quantity, minimum }: Pick<ItemInput, 'quantity' | 'minimum'>): boolean {
  return minimum !== null && quantity < minimum;
}

/** `today` is a day as in `2026-11-20`. An item that is due today is not overdue. */
export function whereStatus(
  status: ItemStatus,
  today: string | Expression<string>,
): RawBuilder<boolean> {
  switch (status) {
    case 'lent':
      return sql`lent > 0`;
    case 'overdue':
      return sql`due is not null and due < ${today}`;
    case 'low':
      return sql`quantity < minimum`;
  }
}

/** How many items have each status, up to `MAX_COUNTED`. */
export type StatusCounts = Readonly<Record<ItemStatus, number>>;

export const MAX_COUNTED = 100;

export function selectStatusCounts(
  read: Kysely<Schema>,
  { today }: Placeholders<{ readonly today: string }>,
) {
  return read.selectNoFrom((row) => {
    const count = (status: ItemStatus) =>
      row
        .selectFrom(
          row
            .selectFrom('items')
            .select('number')
            .where(whereStatus(status, today))
            .limit(sql.lit(MAX_COUNTED))
            .as('counted'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'));
    return [count('lent').as('lent'), count('overdue').as('overdue'), count('low').as('low')];
  });
}
