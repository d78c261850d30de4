/** Finds the separator of a text and its headings: a title often stands above them. */
import type { TableWords } from '../language/words.ts';
import { decodeRow, type Encoding } from './encodings.ts';
import { type Dialect, readRecords, type TableRow } from './read-records.ts';

/** Rows, and UTF-16 code units, in which the separator and the headings are looked for. */
export const START = { rows: 20, length: 50_000 };

/** A line by which people tell Excel the separator. */
const TOLD = /^"?sep=(.)"?$/i;

/** A mark is the likelier to be the separator, the rarer it is in texts and numbers. */
const SEPARATORS = [',', '|', ';', '\t'];

/** What a table is looked at with. */
export interface Looking {
  readonly knows: (heading: string) => boolean;
  /** Of a file that is not in UTF-8. */
  readonly encoding: Encoding | null;
  readonly words: TableWords;
}

/**
 * The one that the file names, or in which its first rows look most like a table. A separator is in each row as often;
 * what is in some rows only, such as a comma, belongs to their texts.
 */
export async function findDialect(start: string, looking: Looking): Promise<Dialect> {
  const { encoding, words } = looking;
  const [, told] = TOLD.exec(start.split(/[\r\n]/, 1)[0] ?? '') ?? [];
  const judged: (Dialect & { readonly merits: readonly number[] })[] = [];
  // A backslash only where a quote that is doubled does not explain the file.
  for (const delimiter of told === undefined ? SEPARATORS : [told]) {
    const isSpaced = !start
      .split(delimiter)
      .slice(1)
      .some((text) => /^\S/.test(text));
    for (const mark of ['"', '\\'] as const) {
      const dialect = { delimiter, escape: mark };
      const raw = await readFirst(readRows([start], dialect, words));
      const rows = raw.map((row) => decodeRow(row, encoding));
      judged.push({ ...dialect, merits: judge(rows, delimiter, isSpaced, looking) });
    }
  }
  return judged.reduce((best, one) => (isMore(one.merits, best.merits) ? one : best));
}

/** The rows of a text, without the one that names the separator. */
export async function* readRows(
  text: AsyncIterable<string> | Iterable<string>,
  dialect: Dialect,
  words: TableWords,
): AsyncGenerator<TableRow> {
  for await (const row of readRecords(text, dialect, words))
    if (row.line > 1 || !TOLD.test(row.cells.join(dialect.delimiter))) yield row;
}

export async function readFirst(rows: AsyncIterable<TableRow>): Promise<readonly TableRow[]> {
  const first: TableRow[] = [];
  for await (const row of rows) if (first.push(row) === START.rows) break;
  return first;
}

/** The first merit that differs decides. */
function judge(
  all: readonly TableRow[],
  delimiter: string,
  isSpaced: boolean,
  { knows }: Looking,
): readonly number[] {
  const rows = all.filter(({ cells }) => !isEmpty(cells));
  const at = findHeader(rows, knows);
  const header = rows[at];
  // Nothing but separators.
  if (header === undefined) return [Number.POSITIVE_INFINITY];
  const width = header.cells.length;
  const below = rows.slice(at + 1);
  const isEven = below.length > 0 && below.every(({ cells }) => cells.length === width);
  const isTable = isEven && width > 1;
  const widths = rows.map(({ cells }) => cells.length);
  const counts = [...Map.groupBy(widths, (one) => one)].map(
    ([one, list]) => [one, list.length] as const,
  );
  const [most, often] = counts.reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  // “Saw, large” below “Tools” is one text.
  const isText = isSpaced && width === 1;
  return [
    isTable ? 1 : 0,
    countKnown(header, knows),
    -rows.filter(({ isLoose }) => isLoose).length,
    isTable ? SEPARATORS.indexOf(delimiter) : 0,
    isText ? 1 : Math.min(Math.max(width, most), 2),
    isText ? 0 : widths.filter((one) => one > 1).length / rows.length,
    often / rows.length,
    widths.reduce((sum, one) => sum + one, 0),
  ];
}

function isMore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((merit, index) => merit !== other[index]);
  return (one[at] ?? 0) > (other[at] ?? 0);
}

export function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Rows with a cell in which the headings are looked for. */
const MAX_TITLE = 5;

/**
 * The row with the most known headings; the first row with a cell if none is known; -1 if all are empty. With
 * `isOptional` it is -1 too if no row has two known ones, or nothing else: a single one may be a value.
 */
export function findHeader(
  rows: readonly TableRow[],
  knows: Looking['knows'],
  isOptional = false,
): number {
  const filled = rows.filter(({ cells }) => !isEmpty(cells)).slice(0, MAX_TITLE);
  let best = isOptional ? undefined : filled[0];
  for (const row of filled) {
    const known = countKnown(row, knows);
    // A single known word beside other cells may be a thing.
    const isLikely = known > 1 || row.cells.filter((cell) => cell.trim() !== '').length === 1;
    const before = best === undefined ? 0 : countKnown(best, knows);
    if (isLikely && known > before) best = row;
  }
  return best === undefined ? -1 : rows.indexOf(best);
}

/** Cells of a row that are looked up as headings. To look all of them up would cost more than to read the text. */
const MAX_LOOKED_UP = 1_000;

/** How many headings of a row are known. */
function countKnown({ cells }: TableRow, knows: Looking['knows']): number {
  return cells.slice(0, MAX_LOOKED_UP).filter(knows).length;
}
