/**
 * The orders of a list. Each has an index with the same columns, which both engines use. For those by fields that a
 * team defines see own-order.ts.
 */
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
export type FixedOrder = (typeof ORDERS)[number];
/** By a field of the team's own, with its id. */
export type OwnOrder = `${'' | '-'}own_${number}`;
/** A minus reverses the order. */
export type Order = FixedOrder | OwnOrder;

/** Unknown orders are ignored. */
export function readOrder(text: string): Order {
  if (text === '') return 'newest';
  const known = ORDERS.find((order) => order === text);
  return known ?? (/^-?own_[1-9]\d{0,8}$/.test(text) ? (text as OwnOrder) : 'newest');
}

export function isOwnOrder(order: Order): order is OwnOrder {
  return order.includes('own_');
}

const COLUMNS = {
  name: sql`items.name_key`,
  quantity: sql`items.quantity`,
  changed: sql`items.updated_at`,
};

/** The column that an order begins with; null for an order by number. */
export function columnOf(order: Order): RawBuilder<unknown> | null {
  if (isOwnOrder(order)) throw new Error(`Cannot name a column of the items for ${order}.`);
  if (order === 'newest' || order === 'oldest') return null;
  return COLUMNS[order.replace('-', '') as keyof typeof COLUMNS];
}

export function isDescending(order: Order): boolean {
  return order === 'newest' || order.startsWith('-');
}

export function reverseOf(order: Order): Order {
  if (order === 'newest') return 'oldest';
  if (order === 'oldest') return 'newest';
  return (order.startsWith('-') ? order.slice(1) : `-${order}`) as Order;
}

/** Of equal items, the one with the lower number comes first; in reverse order, last. */
export function toOrderBy(order: Order): RawBuilder<unknown> {
  const column = columnOf(order);
  const direction = isDescending(order) ? sql`desc` : sql`asc`;
  const byNumber = sql`items.number ${direction}`;
  return column === null ? byNumber : sql`${column} ${direction}, ${byNumber}`;
}
