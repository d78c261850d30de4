/**
 * Opens a file as a table: a header, and rows with as many cells. People's files have a title above the headings,
 * separators of their country, and empty rows. `rows` reads the file again, so nothing stays open before or after.
 */
import type { UploadedFile } from 'seeother/files';
import { decodeRow, decodeText } from './encodings.ts';
import { findDialect, findHeader, isEmpty, readFirst, readRows, START } from './find-dialect.ts';
import { findEncoding, type OldEncoding, readFirstBytes } from './find-encoding.ts';
import { MAX_HEADING } from './headings.ts';
import { HOW_TO_SAVE, ImportRefused } from './import-refused.ts';
import type { FileRow } from './read-records.ts';

export interface Table {
  /** A heading may be empty. In an old encoding, bytes are characters in it and in the rows: see encodings.ts. */
  readonly header: readonly string[];
  readonly old: OldEncoding | null;
  /** What people have to know of how the file was read, one sentence each, without a full stop. */
  readonly notices: readonly string[];
  /** Rows with any cell, up to `MAX_ROWS`. Throws an `ImportRefused`. */
  readonly rows: AsyncIterable<FileRow>;
}

export const MAX_ROWS = 200_000;
/** A form has at most 200 fields, and the page of the columns has two for each. */
export const MAX_COLUMNS = 80;

/** Rejects with an `ImportRefused`. */
export async function openTable(file: Pick<UploadedFile, 'chunks'>): Promise<Table> {
  if (WORKBOOKS.includes(await readFirstBytes(file.chunks(), 4)))
    throw new ImportRefused(`The file is a workbook. ${HOW_TO_SAVE}`);
  const { decoder, old } = await findEncoding(file.chunks);
  const encoding = old?.name ?? null;
  const text = await readStart(decodeText(file.chunks(), decoder));
  refuseOtherText(text);
  const dialect = await findDialect(text, encoding);
  const rows = () => readRows(decodeText(file.chunks(), decoder), dialect);
  const raw = await readFirst(rows());
  const start = raw.map((row) => decodeRow(row, encoding));
  const at = findHeader(start);
  const found = start[at];
  if (found === undefined)
    throw new ImportRefused('The file is empty. Its first line names the columns.');
  // Spreadsheets save empty columns at the end.
  const width = Math.max(...start.slice(at).map(({ cells }) => countFilled(cells)));
  const toHeader = ({ cells }: FileRow) =>
    Array.from({ length: width }, (_, index) => (cells[index] ?? '').trim());
  checkHeader(toHeader(found));
  const above = start.slice(0, at).filter(({ cells }) => !isEmpty(cells));
  return {
    header: toHeader(raw[at] ?? found),
    old,
    notices: above.length === 0 ? [] : [describeTitle(above, found.line)],
    rows: { [Symbol.asyncIterator]: () => readBelow(rows(), found.line, width) },
  };
}

/** The first bytes of a ZIP archive, and of the older files of Excel. */
const WORKBOOKS: readonly string[] = ['504b0304', 'd0cf11e0'];

async function readStart(text: AsyncIterable<string>): Promise<string> {
  let start = '';
  for await (const piece of text) {
    start += piece;
    if (start.length >= START.length) break;
  }
  if (start.length < START.length) return start;
  // A row that is cut has a quote that is not closed.
  const last = Math.max(start.lastIndexOf('\n'), start.lastIndexOf('\r'));
  return start.slice(0, last === -1 ? START.length : last + 1);
}

/** Text that no table begins with. Programs save tables as web pages and call them `.xls` or `.csv`. */
const OTHERS: readonly (readonly [begins: RegExp, name: string])[] = [
  [
    /^\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)\s*)*<(?:!doctype html|html|head|meta|body|table)\b/i,
    'a web page (HTML)',
  ],
  [/^MIME-Version:/i, 'a web page (MHTML)'],
  [/^\s*<(?:\?xml|!doctype)\b/i, 'XML'],
  [/^\s*(?:\{\s*["}]|\[\s*[[{"\]])/, 'JSON'],
  [/^\{\\rtf/, 'a text document (RTF)'],
  [/^%PDF-/, 'a PDF'],
];

/** Characters in which a comment may stand before what tells. */
const MAX_BEGIN = 2_000;

function refuseOtherText(start: string): void {
  const [, name] = OTHERS.find(([begins]) => begins.test(start.slice(0, MAX_BEGIN))) ?? [];
  if (name === undefined) return;
  throw new ImportRefused(
    `The file is ${name}, and not a table. Open it with a spreadsheet program. ${HOW_TO_SAVE}`,
  );
}

/** Characters of a row above the headings in a notice. */
const MAX_SHOWN = 60;

function describeTitle(above: readonly FileRow[], line: number): string {
  const texts = above.map(({ cells }) => cells.join(' ').replaceAll(/\s+/g, ' ').trim());
  const shown = texts.map((text) => `“${text.slice(0, MAX_SHOWN).toWellFormed()}”`).join(', ');
  return `The headings are on line ${line}. What stands above them was left out: ${shown}`;
}

async function* readBelow(
  rows: AsyncIterable<FileRow>,
  after: number,
  width: number,
): AsyncGenerator<FileRow> {
  let count = 0;
  for await (const row of rows) {
    const { line, cells } = row;
    const filled = countFilled(cells);
    if (line <= after || filled === 0) continue;
    if (++count > MAX_ROWS)
      throw new ImportRefused(
        `The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it.`,
      );
    yield { ...row, cells: toLength(cells, Math.max(width, filled)) };
  }
}

function toLength(cells: readonly string[], length: number): readonly string[] {
  if (cells.length >= length) return cells.length === length ? cells : cells.slice(0, length);
  return [...cells, ...new Array<string>(length - cells.length).fill('')];
}

/** Cells up to the last one with a text. */
function countFilled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function checkHeader(header: readonly string[]): void {
  if (header.length > MAX_COLUMNS)
    throw new ImportRefused(
      `The file has ${header.length} columns, and at most ${MAX_COLUMNS} can be read. Remove some.`,
    );
  const long = header.find((heading) => heading.length > MAX_HEADING);
  if (long !== undefined)
    throw new ImportRefused(
      `The heading “${long.slice(0, MAX_SHOWN).toWellFormed()}…” is longer than ${MAX_HEADING} characters. The first line must name the columns.`,
    );
  if (header.some((cell) => cell.includes('\0')))
    throw new ImportRefused(`The file is not a table. ${HOW_TO_SAVE}`);
}
