/** The names of the orders of a list. */
import type { Order } from '../item-order.ts';
import type { ItemQuery } from '../item-query.ts';

export const ORDER_NAMES: Readonly<Record<Order, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  quantity: 'Quantity, lowest first',
  '-quantity': 'Quantity, highest first',
  '-changed': 'Most recently changed first',
  changed: 'Least recently changed first',
};

/** See item-search.ts for what matches best. */
export function orderName({ search, order }: ItemQuery): string {
  return order === 'newest' && search !== '' ? 'Best matches first' : ORDER_NAMES[order];
}
