/**
 * One text for all spellings of a word: in upper case, without accents and invisible characters, with ASCII digits. The
 * search, the order of names, and the keys of locations and tags use it, and so both engines find and sort alike.
 */

const NOT_ASCII = /[^\0-\x7f]/;
/**
 * Accents, vowel signs, skin tones, and what nobody sees: soft hyphens, joiners, marks of direction. The line of Arabic
 * that only makes a word longer (tatweel) is a letter for Unicode.
 */
const IGNORED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]/gu;

/** For Unicode, the letter й is и with an accent. In the languages that have it, it is a letter of its own. */
const SHORT_I = /й|и\u0306/giu;
const KEPT_SHORT_I = '\ue000';

/** Letters that Unicode does not split into a plain letter and an accent, and signs that stand for another one. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH', Æ: 'AE', Œ: 'OE', ẞ: 'SS', Ħ: 'H', Ŧ: 'T' },
  [KEPT_SHORT_I]: 'Й',
  ...{ '×': 'X', '✕': 'X', '✖': 'X', '⨯': 'X' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '−': '-', '’': "'", '⁄': '/', '\u2800': ' ' },
  // Persian, Urdu and Kurdish keyboards have other letters for the same sounds than Arabic ones.
  ...{ ي: 'ی', ى: 'ی', ك: 'ک', ڪ: 'ک', ٱ: 'ا', ٲ: 'ا', ٳ: 'ا', ة: 'ه', ہ: 'ه', ھ: 'ه', ە: 'ه' },
};
const REPLACED = new RegExp(`[${Object.keys(PLAIN).join('')}]|(?![0-9])\\p{Nd}`, 'gu');

export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toUpperCase();
  // Removes combining marks first: normalizing sorts the marks of one letter in quadratic time.
  const kept = text.replaceAll(SHORT_I, KEPT_SHORT_I);
  const bare = kept.replaceAll(IGNORED, '').normalize('NFKD').replaceAll(IGNORED, '');
  // Upper case merges more spellings: "ß" becomes "SS", and both lower-case sigmas become one letter.
  return bare.toUpperCase().replaceAll(REPLACED, (one) => PLAIN[one] ?? toDigit(one));
}

/** Unicode has the ten digits of a script one after another. */
function toDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** Before the parts of a path, and between two names that differ in accents alone: below all other characters. */
const INSIDE = '\u0001';
const TIE = '\u0002';

const ODD_SPACES = /\s\s|[^\S ]|^\s|\s$/;
const LONG_NUMBER = /\d\d/;
const LONG_NUMBERS = /\d{2,}/g;

/**
 * Compared by bytes, two keys are in the order in which people look for the names: “Äpfel” beside “Apfel”, “Box 2”
 * before “Box 10”. A colon for each further digit sorts a longer number after a shorter one: it comes after the digits.
 */
export function toSortKey(name: string): string {
  let key = foldText(name);
  if (ODD_SPACES.test(key)) key = key.replaceAll(/\s+/g, ' ').trim();
  if (LONG_NUMBER.test(key))
    key = key.replaceAll(LONG_NUMBERS, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '');
      return ':'.repeat(number.length - 1) + number;
    });
  return NOT_ASCII.test(name) ? key + TIE + name.toUpperCase() : key;
}

/** The same for a path of names: what is inside a name follows it at once. */
export function toPathKey(parts: readonly string[]): string {
  return parts.map(toSortKey).join(INSIDE);
}

/** Sorts names for people. */
export function compareNames(one: string, other: string): number {
  const [key, otherKey] = [toSortKey(one), toSortKey(other)];
  if (key === otherKey) return 0;
  return key < otherKey ? -1 : 1;
}
