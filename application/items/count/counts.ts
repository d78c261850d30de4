/** What was counted, as text in the query of an address: `12.6.5` if there are 5 of item 12, and 6 were stored. */
import { randomBytes } from 'node:crypto';
import type { Context } from 'seeother';
import { MAX_QUANTITY } from '../item-limits.ts';
import { parseNumber } from '../parse-number.ts';
import { readChosenItems } from '../ticked-numbers.ts';
import { MAX_COUNTED } from './count-forms.ts';

export interface Count {
  readonly number: number;
  /** The stored quantity while it was counted. */
  readonly was: number;
  readonly counted: number;
}

export function writeCounts(counts: readonly Count[]): string {
  return counts.map(({ number, was, counted }) => `${number}.${was}.${counted}`).join('_');
}

/** What cannot be read is left out. */
export function parseCounts(text: string): readonly Count[] {
  const counts = text.split('_', MAX_COUNTED).flatMap((one): readonly Count[] => {
    const [number = '', was = '', counted = '', ...others] = one.split('.');
    const count = { number: parseNumber(number), was: Number(was), counted: Number(counted) };
    const isWhole = [was, counted].every((part) => /^\d{1,7}$/.test(part));
    if (!isWhole || others.length > 0 || count.number === null) return [];
    return count.counted > MAX_QUANTITY ? [] : [{ ...count, number: count.number }];
  });
  return [...new Map(counts.map((count) => [count.number, count])).values()];
}

/** What the address of a page of counting says. */
export function readCounting({ request: { query } }: Pick<Context, 'request'>) {
  return {
    /** The list that is counted, by somebody with an account. */
    list: readChosenItems(query, true),
    page: parseNumber(query.get('page') ?? '') ?? 1,
    /** The page that follows, if there is one. */
    next: parseNumber(query.get('next') ?? ''),
    /** How many items were on the page, and how many the list has. */
    of: parseNumber(query.get('of') ?? ''),
    all: parseNumber(query.get('all') ?? ''),
    /** See count-records.ts. The first page of a count makes it. */
    key: /^[\w-]{11}$/.exec(query.get('key') ?? '')?.[0] ?? randomBytes(8).toString('base64url'),
    counts: parseCounts(query.get('counts') ?? ''),
  };
}

export type Counting = ReturnType<typeof readCounting>;
