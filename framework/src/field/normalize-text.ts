/**
 * The texts of fields, before they are parsed. All input is normalized here and nowhere else: trimmed, in NFC, without
 * control characters, and empty if it shows nothing.
 *
 * Each pattern takes linear time. Unicode normalization alone does not: see `HEAP_OF_MARKS`.
 */
import { withoutMarks } from '../language/characters.ts';

/** Most texts: one look at them replaces all others. Every text without a character from U+0300 on is NFC. */
const PLAIN_LINE = /^[ -~\xa0-\xac\xae-\u02ff]*$/;
const PLAIN_LINES = /^[\t\n -~\xa0-\xac\xae-\u02ff]*$/;

/** What separates lines, also in Unicode and in text of word processors, and the tab, which separates cells. */
const BREAK = /[\t\n\v\f\r\u0085\u2028\u2029]/;

/** Other control characters. Terminals obey them, and no page shows them. */
const CONTROLS = /(?![\t\n\u0085])\p{Cc}/gu;

/**
 * What shows nothing. Default ignorable are zero-width spaces, joiners, marks of direction and the fillers of Hangul;
 * the others are marks of annotations, the empty pattern of Braille and an empty note.
 */
const INVISIBLE =
  /^[\s\u0085\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{13440}\u{1d159}]*$/u;

/**
 * More combining marks in a row than the Stream-Safe Text Format (UAX 15) allows, which is more than any
 * language uses.
 */
const HEAP_OF_MARKS = /\p{M}{31}/u;

/** A joiner that does not stand between letters. */
const LOOSE_JOINER = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/gu;

/**
 * A text of one line, as `textField` reads it: trimmed, in NFC, with a space for a line break or a tab, without other
 * control characters, and empty if nothing in it is visible. A text with more than 30 marks on one letter is not
 * normalized to NFC.
 */
export function normalizeText(typed: string): string {
  if (PLAIN_LINE.test(typed)) return typed.trim();
  if (!BREAK.test(typed)) return normalize(typed);
  return normalize(
    typed.replaceAll(/[\s\u0085]+/g, (spaces) => (BREAK.test(spaces) ? ' ' : spaces)),
  );
}

/** A text of several lines: line ends of programs become LF; tabs, and the line ends of Unicode, stay. */
export function normalizeLines(typed: string): string {
  if (PLAIN_LINES.test(typed)) return typed.trim();
  return normalize(typed.replaceAll(/\r\n?|[\v\f]/g, '\n'));
}

/** A text of one line in which characters that show nothing mean nothing: a number, an address, a username. */
export function normalizeCode(typed: string): string {
  if (PLAIN_LINE.test(typed)) return typed.trim();
  return normalizeText(withoutMarks(typed)).replaceAll(LOOSE_JOINER, '').trim();
}

function normalize(typed: string): string {
  const text = typed.replaceAll(CONTROLS, '').trim();
  return INVISIBLE.test(text) ? '' : toNfc(text);
}

/**
 * NFC sorts the marks of one letter in quadratic time: one form full of marks would block the event loop for minutes.
 */
export function toNfc(text: string): string {
  return HEAP_OF_MARKS.test(text) ? text : text.normalize('NFC');
}
