/**
 * What a list can be limited to: items that are lent, overdue or running low. Each has a partial index, and
 * both engines use it only for a condition that is written as in its migration (0009-loans.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import type { ItemInput } from './item-rows.ts';

export const STATUSES = ['lent', 'overdue', 'low'] as const;
export type ItemStatus = (typeof STATUSES)[number];

export const STATUS_NAMES: Readonly<Record<ItemStatus, string>> = {
  lent: 'Lent',
  overdue: 'Overdue',
  low: 'Running low',
};

export function isLow({ quantity, minimum }: Pick<ItemInput, 'quantity' | 'minimum'>): boolean {
  return minimum !== null && quantity < minimum;
}

/** `today` is a day as in `2026-11-20`. An item that is due today is not overdue. */
export function whereStatus(status: ItemStatus, today: string): RawBuilder<unknown> {
  switch (status) {
    case 'lent':
      return sql`lent_to is not null`;
    case 'overdue':
      return sql`lent_until is not null and lent_until < ${today}`;
    case 'low':
      return sql`quantity < minimum`;
  }
}
