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
