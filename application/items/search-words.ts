/**
 * Splits text into search words: runs of letters and digits, without accents and in one case. Items and
 * queries are normalized in the same way, for both engines; an item also gets other spellings of its words.
 */

/** Maximum characters of a word; PostgreSQL stores no word longer than 2,046 bytes. */
const MAX_LENGTH = 60;
const MARKS = /\p{M}/gu;
/** Letters that Unicode does not split into a plain letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH', Æ: 'AE', Œ: 'OE', ẞ: 'SS' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** How these letters are written without them. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ Ä: 'AE', Ö: 'OE', Ü: 'UE', Å: 'AA', Ø: 'OE' },
};
const UMLAUTS = /[ÄÖÜÅØ]/gi;
const SPELLED_UMLAUT = /([AOU])E/g;
const HAS_SPELLINGS = /[ÄÖÜÅØ]|[AOU]E/i;

/** Each word once. */
export function toWords(text: string): readonly string[] {
  // Removes combining marks first: normalizing sorts the marks of one letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD').replaceAll(MARKS, '');
  // Upper case merges more spellings: "ß" becomes "SS", and both lower-case sigmas become one letter.
  const folded = bare.toUpperCase().replaceAll(NOT_PLAIN, (letter) => PLAIN[letter] ?? '');
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(shorten))];
}

/**
 * The words of an item: KUCHE and KUECHE for “Küche”, and also for “Kueche”. So all spellings find each other, and a
 * search needs only one of them.
 */
export function toItemWords(text: string): readonly string[] {
  const own = toWords(text);
  if (!HAS_SPELLINGS.test(text)) return own;
  const words = new Set(own);
  const spelled = text.replaceAll(UMLAUTS, (letter) => SPELLED_OUT[letter.toUpperCase()] ?? '');
  if (spelled !== text) for (const word of toWords(spelled)) words.add(word);
  for (const word of [...words]) words.add(word.replaceAll(SPELLED_UMLAUT, '$1'));
  return [...words];
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
