/**
 * Characters by which keyboards, scripts and programs differ, and which mean the same in a number, a date, an address
 * or a code. In other text they stay as they were typed.
 */

/** Most texts. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * What shows nothing and is copied with a text: soft hyphens, marks of direction, zero-width spaces, word joiners. Not
 * the joiners U+200C and U+200D, which belong to the spelling of words.
 */
const MARKS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

export function withoutMarks(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(MARKS, '');
}

/** The digits of all scripts as 0 to 9: `१२` becomes `12`. */
export function toLatinDigits(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(/\p{Nd}/gu, toLatinDigit);
}

const latinDigits = new Map<string, string>();

function toLatinDigit(digit: string): string {
  const known = latinDigits.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) as number;
  // Unicode has the digits of a script in a row, from 0 to 9. Another row may stand before it.
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  const latin = String((code - first) % 10);
  latinDigits.set(digit, latin);
  return latin;
}

/** Every dash as a hyphen, also the minus and the one of a Japanese keyboard. */
export function toHyphens(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(/[\p{Pd}\u02d7\u2043\u2212\u30fc\uff70]/gu, '-');
}

/** As a keyboard in English writes numbers and dates: without marks, with one kind of space, digit and dash. */
export function unifyCharacters(text: string): string {
  if (ASCII.test(text)) return text.replaceAll(/\s/g, ' ');
  const bare = withoutMarks(text).replaceAll(/\s/g, ' ');
  return toHyphens(toLatinDigits(toHalfWidth(bare)));
}

/** Keyboards of East Asia have a second form of each character of ASCII, and of signs of currencies: `１．５`, `￥`. */
function toHalfWidth(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e\uffe0-\uffe6]/g, (wide) => wide.normalize('NFKC'));
}
