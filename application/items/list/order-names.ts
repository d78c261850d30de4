/** The names of the orders of a list. */
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import type { OwnFieldKind } from '../../own-fields/own-field.ts';
import { isSortable } from '../../own-fields/own-field.ts';
import { type FixedOrder, isDescending, isOwnOrder, type Order } from '../item-order.ts';
import type { ItemQuery } from '../item-query.ts';
import { fieldOf } from '../match-own.ts';

export const ORDER_NAMES: Readonly<Record<FixedOrder, string>> = {
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
export function orderName({ search, order }: ItemQuery, definitions: Definitions): string {
  if (order === 'newest' && search !== '') return 'Best matches first';
  if (!isOwnOrder(order)) return ORDER_NAMES[order];
  const field = definitions.fields.find(({ id }) => id === fieldOf(order));
  // The list ignores an unknown order.
  if (field === undefined || !isSortable(field.kind)) return ORDER_NAMES.newest;
  return ownOrderName(field, order);
}

const DIRECTIONS: { readonly [Kind in OwnFieldKind]?: readonly [up: string, down: string] } = {
  number: ['lowest first', 'highest first'],
  money: ['lowest first', 'highest first'],
  date: ['earliest first', 'latest first'],
  'yes or no': ['No first', 'Yes first'],
};

export function ownOrderName({ label, kind }: OwnField, order: Order): string {
  const [up, down] = DIRECTIONS[kind] ?? ['A to Z', 'Z to A'];
  return `${label}, ${isDescending(order) ? down : up}`;
}
