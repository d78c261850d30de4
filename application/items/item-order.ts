/** The orders of a list. Each has an index of the same columns, which both engines walk along. */
import { type RawBuilder, sql } from 'kysely';

export const ORDERS = [
  'newest',
  'oldest',
  'name',
  '-name',
  'quantity',
  '-quantity',
  'changed',
  '-changed',
] as const;
/** A minus turns it round. */
export type Order = (typeof ORDERS)[number];

const COLUMNS = {
  name: sql`lower(items.name)`,
  quantity: sql`items.quantity`,
  changed: sql`items.updated_at`,
};

/** Of equals, the one with the lower number comes first, or last where the order is turned round. */
export function toOrderBy(order: Order): RawBuilder<unknown> {
  if (order === 'newest') return sql`items.number desc`;
  if (order === 'oldest') return sql`items.number`;
  const column = COLUMNS[order.replace('-', '') as keyof typeof COLUMNS];
  return order.startsWith('-')
    ? sql`${column} desc, items.number desc`
    : sql`${column}, items.number`;
}
