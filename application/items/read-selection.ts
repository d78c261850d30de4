/** What a list shows, from the query of its address. What cannot be meant is as if it were left out. */
import { cutText, normalizeText } from 'seeother';
import type { Selection } from './item-list.ts';
import { ORDERS } from './item-order.ts';

export function readSelection(query: URLSearchParams): Selection {
  const sort = query.get('sort');
  return {
    search: readText(query, 'q'),
    tag: readText(query, 'tag'),
    location: readText(query, 'location'),
    order: ORDERS.find((order) => order === sort) ?? 'newest',
  };
}

/** UTF-16 code units. Every link of the list repeats them; no tag or location is longer than 120 characters. */
const LONGEST = 250;

/** As a form would have taken it. No item has a NUL in it, and PostgreSQL takes none. */
function readText(query: URLSearchParams, name: string): string {
  const typed = query.get(name);
  return typed === null ? '' : normalizeText(cutText(typed.replaceAll('\0', ''), LONGEST));
}
