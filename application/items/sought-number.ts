/**
 * The number of an item as a search. `#17`, and `No. 17` as the pages write it, mean the item and nothing else,
 * so they lead to its page. A plain `17` is also a word of other items, so the list shows the item above them.
 */
import type { ItemQuery } from './item-list.ts';
import { parseNumber } from './parse-number.ts';

export interface SoughtNumber {
  readonly number: number;
  /** Whether nothing but the item can be meant. */
  readonly isSure: boolean;
}

/** Null if something else is asked for, too. */
export function readSoughtNumber({ search, tag, location, show }: ItemQuery): SoughtNumber | null {
  if (search === '' || tag !== '' || location !== '' || show !== '') return null;
  const [, sign, digits = ''] = /^(#|no\. ?)?(\d+)$/i.exec(search) ?? [];
  const number = parseNumber(digits);
  return number === null ? null : { number, isSure: sign !== undefined };
}
