/**
 * The addresses of a list: its page with another order, another place, or without a filter. They have the filters that
 * count and nothing else of the query, so that no address makes a page long.
 */
import { type Href, localPath } from '../http/href.ts';
import { toLocalPath } from '../http/local-path.ts';
import type { Request } from '../http/request.ts';
import { toPath } from '../session/draft.ts';
import { type AnyList, type ListOrder, toOrderText } from './define-list.ts';
import type { ReadQuery } from './read-query.ts';

export interface AddressChange {
  readonly order?: ListOrder | null;
  /** The paths of filters that are left out. */
  readonly without?: readonly string[];
  /** The place within the list, or its format. */
  readonly place?: Readonly<Record<string, string | number | undefined>>;
}

/** The addresses of the list as it was asked for, with what changes. They begin with the first page. */
export type ToAddress = (change: AddressChange) => Href;

export function createAddresses(
  { filter, order: own }: AnyList,
  { target }: Pick<Request, 'target'>,
  { kept, order: current }: Pick<ReadQuery<unknown>, 'kept' | 'order'>,
): ToAddress {
  const path = toLocalPath(toPath(target)) ?? localPath('/');
  return ({ order = current, without = [], place = {} }) => {
    const isOut = (name: string) => without.some((one) => isWithin(name, one));
    const query = new URLSearchParams(
      kept.filter(([name]) => !isOut(name)).map((pair) => [...pair]),
    );
    // Left out, such a filter would have its default.
    for (const name of filter.names)
      if (isOut(name) && hasDefault(filter, name)) query.set(name, '');
    const sort = toSortText(order, own);
    if (sort !== null) query.set('sort', sort);
    for (const [name, value] of Object.entries(place))
      if (value !== undefined) query.set(name, String(value));
    return localPath(query.size === 0 ? path : `${path}?${query}`);
  };
}

/** Whether the name is that of the part, or of one within it. */
function isWithin(name: string, path: string): boolean {
  return name === path || name.startsWith(`${path}.`);
}

function hasDefault({ fields }: AnyList['filter'], name: string): boolean {
  const part = fields[name];
  return part?.part === 'field' && part.default.length > 0;
}

/** As the address names the order; null for that of an address without one. */
export function toSortText(order: ListOrder | null, own: ListOrder | null): string | null {
  if (order === null) return null;
  const text = toOrderText(order.by, order.direction);
  return own !== null && text === toOrderText(own.by, own.direction) ? null : text;
}
