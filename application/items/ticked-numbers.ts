/**
 * The numbers of ticked items as a text, for an address and a hidden field: `3.7-9` is 3, 7, 8 and 9. A form encodes
 * neither of the two signs.
 */
import { MAX_SELECTED } from './matching-items.ts';
import { parseNumber } from './parse-number.ts';

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
