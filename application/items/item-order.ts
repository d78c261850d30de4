/** The orders of a list. Each has an index with the same columns, which both engines use. */
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
/** A minus reverses the order. */
export type Order = (typeof ORDERS)[number];

const COLUMNS = {
  name: sql`lower(items.name)`,
  quantity: sql`items.quantity`,
  changed: sql`items.updated_at`,
};

/** Of equal items, the one with the lower number comes first; in reverse order, last. */
export function toOrderBy(order: Order): RawBuilder<unknown> {
  if (order === 'newest') return sql`items.number desc`;
  if (order === 'oldest') return sql`items.number`;
  const column = COLUMNS[order.replace('-', '') as keyof typeof COLUMNS];
  return order.startsWith('-')
    ? sql`${column} desc, items.number desc`
    : sql`${column}, items.number`;
}
