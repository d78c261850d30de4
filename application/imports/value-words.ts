/** Words of cells that are no values: for yes, for no, and for nothing. */
import { listWords, plainText } from './same-text.ts';

/** Words as they are mostly written. */
const ASCII = /^[!-~]*$/;

const YES = new Set(
  listWords(
    'true, yes, y, 1, x, ja, j, wahr, oui, o, vrai, sí, si, sì, sim, tak, ano, igen, ✓, ✔, ☑',
  ),
);
const NO = new Set(
  listWords('false, no, n, 0, nein, falsch, non, faux, não, nie, ne, nem, nee, nej, nei, ✗, ✘, ☐'),
);

/** Null for a text that is neither. */
export function readYesNo(text: string): 'yes' | 'no' | null {
  if (text.length > 6) return null;
  const plain = ASCII.test(text) ? text.toLowerCase() : plainText(text);
  if (YES.has(plain)) return 'yes';
  return NO.has(plain) ? 'no' : null;
}

const NOTHING = new Set(
  listWords(
    'n/a, na, n.a., k.a., k. a., ka, null, nil, none, n.v., tbd, tba, unknown, unbekannt, inconnu, keine angabe',
  ),
);

/** What people write into a cell that has no value. Not 0, and no word that may be one: “missing” is a state. */
export function isNothing(text: string): boolean {
  if (text.length > 20) return false;
  // Most cells.
  if (text.length > 3 && /^[a-z0-9]*$/i.test(text)) return NOTHING.has(text.toLowerCase());
  return /^[\p{P}\p{S}\s]*$/u.test(text) ? readYesNo(text) === null : NOTHING.has(plainText(text));
}
