/** What a list is asked for: its filters and its order. */
import type { Order } from './item-order.ts';
import type { ItemStatus } from './item-status.ts';
import type { OwnFilter } from './own-filter.ts';

/** The filters and the order of a list; an empty text is no filter. */
export interface ItemQuery {
  /** An item matches if each of these words begins one of its words, or is inside one. */
  readonly search: string;
  /** Case is ignored for tags and locations; see facets.ts. */
  readonly tag: string;
  readonly location: string;
  readonly show: ItemStatus | '';
  /** The id of a kind of things, or `none` for those without one. */
  readonly kind: string;
  /** By fields of the team's own, at most one of each. */
  readonly own: readonly OwnFilter[];
  readonly order: Order;
  /** Whether a search also finds who has an item: never for a visitor. */
  readonly seesBorrowers: boolean;
}

export const ALL_ITEMS: ItemQuery = {
  search: '',
  tag: '',
  location: '',
  show: '',
  kind: '',
  own: [],
  order: 'newest',
  seesBorrowers: false,
};

export function isFiltered(query: ItemQuery): boolean {
  return query.show !== '' || isNarrowed(query);
}

/** Whether there is a filter besides the status, so that the counts of all items do not tell what the list has. */
export function isNarrowed({ search, tag, location, kind, own }: ItemQuery): boolean {
  return search !== '' || tag !== '' || location !== '' || kind !== '' || own.length > 0;
}
