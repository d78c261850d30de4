/**
 * A search for the number of an item. `#17`, or `No. 17` as the pages write it, leads to the page of the item. A
 * plain `17` may also be a word of other items, so the list shows the item above its results.
 */
import { type ItemQuery, isFiltered } from '../item-query.ts';
import { parseNumber } from '../parse-number.ts';

export interface SoughtNumber {
  readonly number: number;
  /** Written as `#17` or `No. 17`, which cannot be a word. */
  readonly isExplicit: boolean;
}

/** Null if the search is anything else, or if there is another filter. */
export function readSoughtNumber(query: ItemQuery): SoughtNumber | null {
  const { search } = query;
  if (search === '' || isFiltered({ ...query, search: '' })) return null;
  const [, sign, digits = ''] = /^(#|no\. ?)?(\d+)$/i.exec(search) ?? [];
  const number = parseNumber(digits);
  return number === null ? null : { number, isExplicit: sign !== undefined };
}
