/**
 * The similar search for one that finds nothing: one letter of one word is wrong, missing, too much, or in the place of
 * its neighbour. All words that such a slip could have been meant for are looked up in the vocabulary: about 75 for
 * each letter of the word.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { searchedTexts } from './item-fields.ts';
import type { Item } from './item-rows.ts';
import { findBeginnings, type Term } from './item-vocabulary.ts';
import { toItemWords, toWords } from './search-words.ts';

/** Shorter words resemble too many others. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 30;
/** Maximum words that one word may have been meant for. */
const MAX_SIMILAR = 50;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * `terms` are the words of the search. `findFirst` resolves to the first item that other ones find. The replacement is
 * in the spelling of that item.
 */
export async function suggestSearch(
  read: Kysely<Schema>,
  search: string,
  terms: readonly Term[],
  findFirst: (similar: readonly Term[]) => Promise<Item | undefined>,
): Promise<string | undefined> {
  const slip = await findUnknown(read, terms);
  if (slip === undefined) return undefined;
  const similar = await findBeginnings(read, slipsOf(slip.word));
  // Whole words first: a beginning is that of a word that was not typed to its end.
  const whole = similar.filter(({ candidate, word }) => word === candidate);
  const begun = similar.filter(({ candidate, word }) => word !== candidate);
  for (const found of [whole, begun]) {
    const words = [...new Set(found.map(({ word }) => word))].slice(0, MAX_SIMILAR);
    if (words.length === 0) continue;
    const common = found.filter(({ isCommon }) => isCommon).map(({ word }) => word);
    const meant = { ...slip, inside: words, common };
    const item = await findFirst(terms.map((term) => (term === slip ? meant : term)));
    const spelled = item && findSpelling(item, new Set(words));
    if (spelled !== undefined)
      return search.replace(RUN, (run) => (toWords(run)[0] === slip.word ? spelled : run));
  }
  return undefined;
}

/** The only word that no item has; undefined with several: a search of two slips is not repaired. */
async function findUnknown(
  read: Kysely<Schema>,
  terms: readonly Term[],
): Promise<Term | undefined> {
  const sought = terms.filter(({ word, inside }) => {
    const { length } = Array.from(word);
    return inside.length === 0 && length >= MIN_LENGTH && length <= MAX_LENGTH;
  });
  if (sought.length === 0) return undefined;
  const words = sought.map(({ word }) => word);
  const known = new Set((await findBeginnings(read, words)).map(({ candidate }) => candidate));
  const [slip, ...others] = sought.filter(({ word }) => !known.has(word));
  return others.length === 0 ? slip : undefined;
}

/** One of the words as the item spells it. */
function findSpelling(item: Item, words: ReadonlySet<string>): string | undefined {
  const texts = searchedTexts(item).flatMap(({ text, search }) =>
    search === 'inside' ? text : [],
  );
  const runs = texts.join(' ').match(RUN) ?? [];
  return runs.find((run) => toItemWords(run).own.some((word) => words.has(word)));
}

const LATIN = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** The letters that could stand in the place of this one: those around it in Unicode for another script. */
function lettersLike(letter: string): readonly string[] {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return LATIN;
  const first = code - (code % 64);
  const around = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(first + index));
  return around.filter((one) => toWords(one)[0] === one);
}

/** All words of four letters or more that differ by one slip. */
export function slipsOf(word: string): readonly string[] {
  const letters = Array.from(word);
  const slips = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)];
    const [own = '', next = '', ...rest] = after;
    slips.add(before + [next, ...rest].join(''));
    slips.add(before + [next, own, ...rest].join(''));
    for (const letter of lettersLike(own || (letters.at(-1) ?? ''))) {
      slips.add(before + letter + after.join(''));
      slips.add(before + [letter, next, ...rest].join(''));
    }
  }
  slips.delete(word);
  return [...slips].filter((slip) => Array.from(slip).length >= MIN_LENGTH);
}
