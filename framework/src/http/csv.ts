/**
 * Rows as CSV (RFC 4180), for spreadsheets. A spreadsheet runs a cell as a formula if its first visible character is
 * `=`, `+`, `-` or `@`. Such a text gets an apostrophe in front, and so does one that already starts with apostrophes
 * before such a character, so that `unescapeFormula` gives every text back.
 */
import { setImmediate } from 'node:timers/promises';
import {
  checkOptions,
  describeValue,
  FLAG,
  type OptionKinds,
  oneOf,
  TEXT,
} from './check-options.ts';
import { toDisposition } from './content-disposition.ts';
import type { Response } from './response.ts';
import { startStream } from './start-stream.ts';

/** A date is written in UTC, as `2026-11-20T18:02:11.123Z`; null and undefined are an empty cell. */
export type CsvCell = string | number | bigint | boolean | Date | null | undefined;

/** The fields of a row that can be a cell as they are. */
type CellName<Row> = {
  [Name in keyof Row & string]: Row[Name] extends CsvCell ? Name : never;
}[keyof Row & string];

/** A column: the name of a field of the row, or a function of the row. */
export type CsvColumn<Row> = CellName<Row> | ((row: Row) => CsvCell);

/** Columns by their headings; or a list of pairs, for headings that are numbers or come twice. */
export type CsvColumns<Row> =
  | Readonly<Record<string, CsvColumn<Row>>>
  | readonly (readonly [heading: string, column: CsvColumn<Row>])[];

/** Options of `csv`. */
export interface CsvOptions {
  /** The name under which a browser saves the file, such as `items.csv`; by default the end of the address. */
  readonly name?: string;
  /**
   * Whether the file begins with a byte order mark, without which Excel shows broken umlauts; true by default. Programs
   * may take it for a part of the first heading.
   */
  readonly bom?: boolean;
  /** What separates cells; a comma by default. Excel in German or French expects a semicolon. */
  readonly separator?: ',' | ';' | '\t';
}

const CSV_KINDS = {
  name: TEXT,
  bom: FLAG,
  separator: oneOf(',', ';', '\t'),
} satisfies OptionKinds<CsvOptions>;

/**
 * Cells in quotes: also those with another separator. A spreadsheet that splits at any of them, as LibreOffice does,
 * would otherwise see two cells, and the second may be a formula.
 */
const QUOTED = /[,;\t"\r\n]|^\s|\s$/;

/** Characters of a piece of the stream. Between two pieces, other requests run. */
const PIECE = 32_768;

/**
 * The rows as a file that a browser saves. They are read as fast as the client reads, so an async iterator of a million
 * rows needs no memory. Rejects if the first rows cannot be read; a later failure ends the connection, so that no
 * client takes a part for the whole. A client that leaves closes the iterator.
 */
export async function csv<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: CsvColumns<Row>,
  options: CsvOptions = {},
): Promise<Response<200>> {
  checkOptions('csv', options, CSV_KINDS);
  const { name = null, bom = true, separator = ',' } = options;
  const list = listColumns(columns);
  const toLine = (cells: readonly string[]) => {
    // A line with nothing in it would be no row.
    if (cells.length === 1 && cells[0] === '') return '""\r\n';
    return `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)}\r\n`;
  };

  let isWhole = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let piece = (bom ? '\u{feff}' : '') + toLine(list.map(({ heading }) => escapeFormula(heading)));
    for await (const row of rows) {
      piece += toLine(list.map(({ read }) => toCell(read(row))));
      if (piece.length < PIECE) continue;
      yield Buffer.from(piece);
      piece = '';
      // Rows that are ready at once would block the event loop.
      await setImmediate();
    }
    isWhole = true;
    yield Buffer.from(piece);
  }

  const body = await startStream(pieces());
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': toDisposition('attachment', name),
    },
    // A short file has a length, and a test reads it as text.
    body: isWhole ? Buffer.from((await body.next()).value).toString() : body,
  };
}

interface Column<Row> {
  readonly heading: string;
  readonly read: (row: Row) => CsvCell;
}

function listColumns<Row>(columns: CsvColumns<Row>): readonly Column<Row>[] {
  const isList = Array.isArray(columns);
  const pairs: readonly (readonly [string, CsvColumn<Row>])[] = isList
    ? columns
    : Object.entries(columns ?? {});
  if (pairs.length === 0)
    throw new TypeError(
      "Cannot write CSV without columns: pass them by their headings, csv(rows, { Name: 'name' }).",
    );
  return pairs.map(([heading, column]) => {
    if (!isList && /^\d+$/.test(heading)) {
      throw new TypeError(
        `Cannot write the column ${heading} in its place: JavaScript moves names that are numbers to the front. Pass a list of pairs, [['${heading}', …], …].`,
      );
    }
    if (typeof column === 'function') return { heading, read: column };
    if (typeof column === 'string')
      return { heading, read: (row) => (row as Readonly<Record<string, CsvCell>>)[column] };
    throw new TypeError(
      `Cannot write the column ${JSON.stringify(heading)} from ${describeValue(column)}: pass the name of a field, or a function of the row.`,
    );
  });
}

/** A number is no text that somebody has typed, so a minus is no formula. */
function toCell(value: CsvCell): string {
  if (typeof value === 'string') return escapeFormula(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value ?? '');
  if (value === null) return '';
  throw new TypeError(
    `Cannot write ${describeValue(value)} into a cell of CSV: pass text, a number, true or false, a Date or null.`,
  );
}

/**
 * Also the full-width forms, which some spreadsheets convert. Some programs drop spaces, controls and other
 * characters that show nothing, such as U+200B, when they read or copy a cell. So none of these hides a formula.
 */
const FORMULA = /^(?:'*[\t\r]|['\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u;

/** The text as a cell that no spreadsheet runs. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a cell that `csv` has written: without the apostrophe that keeps a spreadsheet from running it. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
