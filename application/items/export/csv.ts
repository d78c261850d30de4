/**
 * Items as CSV (RFC 4180), with a column for the number and each field that people fill in. Every cell can be read
 * back: an export that is imported again changes nothing.
 *
 * A spreadsheet runs a cell as a formula if its first visible character is `=`, `+`, `-` or `@`. Such a cell
 * gets an apostrophe in front, and so does one that already starts with apostrophes before such a character.
 * The import removes one.
 */
import { stringify } from 'csv-stringify/sync';
import { ITEM_FIELDS } from '../item-fields.ts';
import type { Item } from '../item-rows.ts';

/** The columns that have a field of the form, and those that another collection needs to take over the whole item. */
export const COLUMNS = [
  ...(['number', ...ITEM_FIELDS] as const),
  ...['lent to', 'lent until', 'lent at', 'lent quantity', 'references', 'added'],
] as const;

/** The columns that each release has written. */
const FIRST = ['number', 'name', 'description', 'quantity', 'location', 'tags'];

/** Whether a file with these headings is an export, of this collection or of another one. */
export function isOwnExport(header: readonly string[]): boolean {
  return FIRST.every((heading) => header.includes(heading));
}

/** U+FEFF, by which Excel recognizes UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Also the full-width forms, which some spreadsheets convert. Some programs drop spaces, controls and other
 * characters that show nothing, such as U+200B, when they read or copy a cell. So none of these hides a formula.
 */
const FORMULA = /^(?:'*[\t\r]|['\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u;

export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

export function csvHeader(): string {
  return toLines([COLUMNS]);
}

/** `references` has those of the items, by their numbers. */
export function csvLines(
  items: readonly Item[],
  references: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  return toLines(items.map((item) => toCells(item, references.get(item.number) ?? [])));
}

function toCells(item: Item, references: readonly string[]): readonly string[] {
  const { number, loans, createdAt } = item;
  const lines = (values: readonly (string | number | null)[]) => values.map(toText).join('\n');
  return [
    toCell(number),
    ...ITEM_FIELDS.map((name) => toCell(item[name])),
    toCell(lines(loans.map(({ to }) => to))),
    toCell(lines(loans.map(({ until }) => until))),
    toCell(lines(loans.map(({ at }) => at))),
    toCell(lines(loans.map(({ quantity }) => quantity))),
    ...[references.join('\n'), createdAt.toISOString()].map(toCell),
  ];
}

type CellValue = string | number | null | readonly string[];

/** The text of a field, as a form would show it. */
export function toText(value: CellValue): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

function toCell(value: CellValue): string {
  return escapeFormula(toText(value));
}

/** Lines of any texts. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return toLines(rows.map((cells) => cells.map(escapeFormula)));
}

function toLines(rows: readonly (readonly string[])[]): string {
  // The library quotes only its own line ends, and readers of CSV may trim spaces.
  const options = { record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ };
  return stringify(rows as string[][], options);
}
