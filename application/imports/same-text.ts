/**
 * Texts that people read as the same: capitals, the kind and the number of spaces, and characters that show nothing
 * make no difference. SQL has two expressions of it, because an index has one of them.
 */
import { type RawBuilder, sql } from 'kysely';
import { unescapeFormula } from 'seeother';

/** As in the index `items_by_plain_name`. What is left of a run of spaces is for `plainText`. */
const REPLACED = [
  ['\u00ad', ''],
  ['\u200b', ''],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['  ', ' '],
  ['  ', ' '],
] as const;

/** What most texts have nothing of. */
const UNEVEN = /[^\S ]|^ | $| {2}/;

/** The text with one space between its words, and none around them. */
export function evenSpaces(text: string): string {
  return UNEVEN.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text;
}

/** Also characters that show nothing. */
const UNTIDY = /[\u00ad\u200b\u2060\ufeff]|[^\S ]|^ | $| {2}/;

/** The text with its capitals. */
export function tidyText(text: string): string {
  if (!UNTIDY.test(text)) return text;
  return evenSpaces(text.replaceAll(/[\u00ad\u200b\u2060\ufeff]/g, ''));
}

/** Marks of direction show nothing either, but a name may need them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with its capitals, and without marks of direction. */
export function bareText(text: string): string {
  return tidyText(text.replaceAll(DIRECTIONS, ''));
}

/** Around a comma, spaces make no difference either. */
export function tidyLocation(text: string): string {
  return tidyText(text).replaceAll(', ', ',').replaceAll(' ,', ',');
}

export function plainText(text: string): string {
  return bareText(text).toLowerCase();
}

export function plainLocation(text: string): string {
  return tidyLocation(bareText(text)).toLowerCase();
}

/** In lower case for ASCII letters alone. */
export function plainSql(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower(${replaceAll(column, REPLACED)})`;
}

export function plainLocationSql(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return replaceAll(plainSql(column), [
    [' ,', ','],
    [', ', ','],
  ]);
}

function replaceAll(
  column: RawBuilder<unknown>,
  pairs: readonly (readonly [string, string])[],
): RawBuilder<unknown> {
  return pairs.reduce(
    (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
    column,
  );
}

/** Without the mark before what a spreadsheet would run: an apostrophe, or the backtick of Snipe-IT. */
export function unescapeCell(text: string): string {
  return unescapeFormula(/^`[=+\-@]/.test(text) ? text.slice(1) : text);
}

/** The words of a list in the code, between commas. */
export function listWords(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim());
}
