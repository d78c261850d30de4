/**
 * The words that a text is found by: runs of letters and digits, without accents and in one case. A
 * search and what is searched are folded alike, and the same for both engines, which only keep them.
 */

/** Characters of a word that count; PostgreSQL keeps no word longer than 2,046 bytes. */
const LONGEST = 60;
const MARKS = /\p{M}/gu;

/** Each word once. */
export function toWords(text: string): readonly string[] {
  // Without its marks first: normalizing sorts those of one letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD').replaceAll(MARKS, '');
  // Upper case, because it is the wider one: "ß" becomes "SS", and both lower-case sigmas one.
  const folded = bare.toUpperCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(shorten))];
}

function shorten(word: string): string {
  return word.length <= LONGEST ? word : [...word].slice(0, LONGEST).join('');
}

export interface SearchWords {
  readonly words: readonly string[];
  /** Whether others were left out, because they are too short or too many. */
  readonly isShortened: boolean;
}

/** Of a search: each word more is one more list of items to go through. */
export const MOST_WORDS = 6;
/** A character that stands for a word: one of them is a search. */
const IDEOGRAPH = /^\p{Script=Han}$/u;

/** The words that a search looks for: the first six of two characters or more. */
export function toSearchWords(search: string): SearchWords {
  const all = toWords(search);
  const words = all.filter(isLongEnough).slice(0, MOST_WORDS);
  return { words, isShortened: words.length < all.length };
}

/** Nearly every item has a word that begins with a given letter: that finds nothing, and takes long. */
function isLongEnough(word: string): boolean {
  return word.length > 1 || IDEOGRAPH.test(word);
}
