/**
 * Reads whole numbers as people write them in tables: `3,00`, `1.234`, `3 Stk.`, `ca. 3`. A single mark before three
 * digits separates thousands, unless another number of its column shows that it stands before decimals.
 */

import { unifyCharacters } from 'seeother/languages';

export type DecimalMark = '.' | ',';

/** `unit`: a word that is not just “pieces”, such as “kg”. */
export type ReadNumber =
  | { readonly digits: string; readonly unit: string | null }
  | 'no number'
  | 'not whole';

/** A number, within words. Thousands are separated by a point, a comma, an apostrophe or a space. */
const NUMBER =
  /^(?:ca\.?|circa|env\.?|environ|about|approx\.?|ungefähr|etwa|≈|~)?\s*([1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\2\d{3})*|\d+)(?:([.,])(\d+))?\s*(\p{L}[\p{L}.]*)?$/iu;

const PIECES =
  /^(?:x|st|stk|stck|stück|stueck|stücke|pc|pcs|pce|piece|pieces|pièce|pièces|ea|each|unit|units|unité|unités|mal)\.?$/i;

export function readNumber(typed: string, mark: DecimalMark | null): ReadNumber {
  const text = unifyCharacters(typed);
  // Most numbers.
  if (/^[1-9]\d*$/.test(text)) return { digits: text, unit: null };
  const found = split(text);
  if (found === null) return 'no number';
  const { whole, separator, decimals, unit } = found;
  if (!/^0*$/.test(decimals)) return 'not whole';
  const parts = whole.split(/\D/);
  const isDecimal = parts.length === 2 && separator === mark;
  // “1.000” and “1.234”, where a point stands before decimals.
  if (isDecimal && parts[1] !== '000') return 'not whole';
  const digits = isDecimal ? (parts[0] ?? '') : parts.join('');
  return { digits: digits.replace(/^0+(?=\d)/, ''), unit: PIECES.test(unit) ? null : unit || null };
}

/** The mark before decimals in a number that leaves no doubt: not in `1.234`, which may be a thousand. */
export function findDecimalMark(text: string): DecimalMark | null {
  if (!/^\P{Nd}{0,12}\p{Nd}/u.test(text)) return null;
  return split(unifyCharacters(text))?.mark ?? null;
}

function split(text: string) {
  const [, whole = '', separator = '', mark, decimals = '', unit = ''] =
    NUMBER.exec(text.trim()) ?? [];
  if (whole === '' || (mark !== undefined && mark === separator)) return null;
  return { whole, separator, mark: (mark ?? null) as DecimalMark | null, decimals, unit };
}
