/**
 * Splits text into search words: runs of letters and digits, without accents and in one case. Items and
 * queries are normalized in the same way, for both engines.
 */

/** Maximum characters of a word; PostgreSQL stores no word longer than 2,046 bytes. */
const MAX_LENGTH = 60;
const MARKS = /\p{M}/gu;

/** Each word once. */
export function toWords(text: string): readonly string[] {
  // Removes combining marks first: normalizing sorts the marks of one letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD').replaceAll(MARKS, '');
  // Upper case merges more spellings: "ß" becomes "SS", and both lower-case sigmas become one letter.
  const folded = bare.toUpperCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(shorten))];
}

function shorten(word: string): string {
  return word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join('');
}

export interface SearchWords {
  readonly words: readonly string[];
  /** Whether words were ignored, because they are too short or too many. */
  readonly isShortened: boolean;
}

/** Maximum words of a search: each word adds a list of items to read. */
export const MAX_WORDS = 6;
/** A character that is a word by itself, so a single one can be searched. */
const IDEOGRAPH = /^\p{Script=Han}$/u;

/** The words of a query that count: the first six with two characters or more. */
export function toSearchWords(search: string): SearchWords {
  const all = toWords(search);
  const words = all.filter(isLongEnough).slice(0, MAX_WORDS);
  return { words, isShortened: words.length < all.length };
}

/** Nearly every item has a word that starts with a given letter: such a search is slow and useless. */
function isLongEnough(word: string): boolean {
  return word.length > 1 || IDEOGRAPH.test(word);
}
