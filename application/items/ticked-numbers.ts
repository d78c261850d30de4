/**
 * The numbers of ticked items as a text, for an address and a hidden field: `3.7-9` is 3, 7, 8 and 9. A form encodes
 * neither of the two signs.
 */
import type { Items } from './item.ts';
import type { ItemPage } from './item-list.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import { MAX_SELECTED } from './matching-items.ts';
import { parseNumber } from './parse-number.ts';
import { readItemQuery } from './read-item-query.ts';

export function writeTicked(numbers: Iterable<number>): string {
  const runs: [first: number, last: number][] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join('.');
}

/** Ends after one more than `MAX_SELECTED`: a short text can name a million. What is no number is left out. */
export function readTicked(text: string): readonly number[] {
  const numbers = new Set<number>();
  for (const [, one = '', other = one] of text.matchAll(/(?<!\d)(\d+)(?:-(\d+))?/g)) {
    const last = parseNumber(other) ?? 0;
    for (let number = parseNumber(one) ?? Infinity; number <= last; number++) {
      if (numbers.size > MAX_SELECTED) return [...numbers];
      numbers.add(number);
    }
  }
  return [...numbers];
}

/** A list, or in its place the items that are ticked, if there are any. */
export interface ChosenItems extends ItemQuery {
  readonly ticked: string;
}

export function readChosenItems(query: URLSearchParams, seesBorrowers: boolean): ChosenItems {
  const ticked = writeTicked(readTicked(query.get('ticked') ?? ''));
  const list =
    ticked === '' ? readItemQuery(query, seesBorrowers) : { ...ALL_ITEMS, seesBorrowers };
  return { ...list, ticked };
}

/** A page of what is ticked, newest first. */
export async function listTicked(
  { findMany }: Pick<Items, 'findMany'>,
  ticked: readonly number[],
  requestedPage: number,
  size: number,
): Promise<ItemPage> {
  const pageCount = Math.max(1, Math.ceil(ticked.length / size));
  const page = Math.min(requestedPage, pageCount);
  const shown = ticked.toSorted((one, other) => other - one).slice((page - 1) * size, page * size);
  const list = { page, pageCount, itemCount: ticked.length, isTruncated: false };
  return { ...list, items: await findMany(shown), isSearchShortened: false };
}
