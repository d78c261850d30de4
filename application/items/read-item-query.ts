/** Reads the query of a list from its address. Unknown values are ignored. */
import { cutText, normalizeText } from 'seeother';
import type { ListPlace } from '../links.ts';
import { readOrder } from './item-order.ts';
import type { ItemQuery } from './item-query.ts';
import { STATUSES } from './item-status.ts';
import { readOwnFilters } from './own-filter.ts';
import { parseNumber } from './parse-number.ts';

/** Without `seesBorrowers`, a search does not find who has an item. */
export function readItemQuery(query: URLSearchParams, seesBorrowers = false): ItemQuery {
  const show = query.get('show');
  const kind = query.get('kind') ?? '';
  return {
    search: readText(query, 'q'),
    tag: readText(query, 'tag'),
    location: readText(query, 'location'),
    show: STATUSES.find((status) => status === show) ?? '',
    kind: kind === '' || kind === 'none' || parseNumber(kind) !== null ? kind : '',
    own: readOwnFilters(query, readText),
    order: readOrder(query.get('sort') ?? ''),
    seesBorrowers,
  };
}

/** The list that a visitor of an item came from, as the query of the address says; all items without one. */
export function readListPlace(
  query: URLSearchParams,
  seesBorrowers = false,
): ItemQuery & ListPlace {
  const page = parseNumber(query.get('page') ?? '1') ?? 1;
  return { ...readItemQuery(query, seesBorrowers), page: page > 1 ? page : undefined };
}

/**
 * In UTF-16 code units. Every link of the list repeats the text; tags and locations have at most 120
 * characters.
 */
const MAX_LENGTH = 250;

/** Normalized as in a form. No item contains NUL, and PostgreSQL rejects it. */
export function readText(query: URLSearchParams, name: string): string {
  const typed = query.get(name);
  return typed === null ? '' : normalizeText(cutText(typed.replaceAll('\0', ''), MAX_LENGTH));
}
