/**
 * The things that a form lends or takes back at once, as text of an address: `3_2.17` is two of No. 3 and one of No.
 * 17, in the order in which they were added. So each step of the form has an address, which can be loaded again.
 */
import { cutText } from 'seeother';
import { heldHref, listHref, type ThingsState } from '../../links.ts';
import { MAX_SELECTED } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readListPlace, readText } from '../read-item-query.ts';

export interface Thing {
  readonly number: number;
  /** As it was typed; or empty. */
  readonly quantity: string;
  /** When the loan began that a return ends; or empty. */
  readonly loan: string;
}

export const MAX_THINGS = MAX_SELECTED;

export function writeThings(things: readonly Thing[]): string {
  return things
    .map(({ number, quantity, loan }) => {
      const time = Date.parse(loan);
      const mark = Number.isNaN(time) ? '' : time.toString(36);
      return `${number}_${quantity.slice(0, 20).replaceAll(/[._]/g, ',')}_${mark}`.replace(
        /_+$/,
        '',
      );
    })
    .join('.');
}

/** What cannot be read is left out. */
export function readThings(text: string): readonly Thing[] {
  return text.split('.', MAX_THINGS).flatMap((one) => {
    const [first = '', quantity = '', mark = ''] = one.split('_');
    const number = parseNumber(first);
    const time = /^[0-9a-z]{1,9}$/.test(mark) ? new Date(Number.parseInt(mark, 36)) : null;
    const loan = time === null || Number.isNaN(time.getTime()) ? '' : time.toISOString();
    return number === null ? [] : [{ number, quantity, loan }];
  });
}

/** Characters of typed numbers: hundreds of them. */
const MAX_TYPED = 4_000;

/** `3 17, #22` and `https://things.example/items/41`, as they are typed, pasted or scanned. `rest` is no number. */
export function parseNumbers(typed: string) {
  const words = cutText(typed, MAX_TYPED)
    .normalize('NFKC')
    .split(/[\s,;]+/);
  const numbers = new Set<number>();
  const rest: string[] = [];
  for (const word of words.filter((one) => one !== '')) {
    const [, digits] = /^#?0*(\d+)$/.exec(word) ?? /\/items\/(\d+)(?:[/?#]|$)/.exec(word) ?? [];
    const number = parseNumber(digits ?? '');
    if (number === null) rest.push(word);
    else numbers.add(number);
  }
  return { numbers: [...numbers], rest: rest.join(' ') };
}

/** What the address of a page says. */
export function readThingsState(query: URLSearchParams) {
  return {
    things: readThings(query.get('things') ?? ''),
    /** Numbers that were added and are in the list already. */
    again: readThings(query.get('again') ?? '').map(({ number }) => number),
    typed: readText(query, 'typed'),
    to: readText(query, 'to'),
    term: readText(query, 'term'),
    until: readText(query, 'until'),
    held: query.get('held'),
    list: query.get('list'),
  };
}

/**
 * What a button asks for that changes only the page: `add` what was typed or scanned, or `remove 2`. It sends the form
 * with GET, and Enter in any field presses the first of them. Null for an address without a button.
 */
export function takeStep(sent: URLSearchParams): ThingsState | null {
  const step = sent.get('step');
  if (step === null) return null;
  const { things, ...state } = readThingsState(sent);
  const { numbers, rest } = parseNumbers(sent.get('numbers') ?? '');
  const shown: Thing[] = [];
  for (let at = 0; at < MAX_THINGS && sent.has(`things.${at}.number`); at++) {
    const number = parseNumber(sent.get(`things.${at}.number`) ?? '');
    const quantity = sent.get(`things.${at}.quantity`) ?? '';
    const loan = sent.get(`things.${at}.loan`) ?? '';
    if (number !== null && step !== `remove ${at}`) shown.push({ number, quantity, loan });
  }
  return { ...state, ...addThings(shown, numbers), typed: rest };
}

/** At most `MAX_THINGS`. */
export function addThings(things: readonly Thing[], numbers: readonly number[]) {
  const known = new Set(things.map(({ number }) => number));
  const added = numbers.filter((number) => !known.has(number));
  const all = [...things, ...added.map((number) => ({ number, quantity: '', loan: '' }))];
  const again = numbers.filter((number) => known.has(number));
  return {
    things: writeThings(all.slice(0, MAX_THINGS)),
    again: writeThings(again.map((number) => ({ number, quantity: '', loan: '' }))),
  };
}

/** Where one came from: a page of the list, or who has what. */
export function backOf({ held, list }: Pick<ThingsState, 'held' | 'list'>) {
  if (list === null || list === undefined) return heldHref(held || undefined);
  const place = readListPlace(new URLSearchParams(list), true);
  return listHref(place, place.page);
}
