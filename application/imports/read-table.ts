/**
 * Opens a file as a table: a header, and rows with as many cells. People's files have a title above the headings,
 * separators of their country, and empty rows. `rows` reads the file again, so nothing stays open before or after.
 */
import type { UploadedFile } from 'seeother/files';
import { openCsv } from './csv-file.ts';
import type { OldEncoding } from './find-encoding.ts';
import { MAX_HEADING } from './headings.ts';
import { HOW_TO_SAVE, ImportRefused } from './import-refused.ts';
import { decodeRow, type FileRow, findHeader, isEmpty } from './raw-table.ts';

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
export async function openTable(file: Pick<UploadedFile, 'name' | 'chunks'>): Promise<Table> {
  if (await isWorkbook(file.chunks()))
    throw new ImportRefused(`The file is a workbook. ${HOW_TO_SAVE}`);
  const { start: raw, old, rows } = await openCsv(file.chunks);
  const start = raw.map((row) => decodeRow(row, old?.name ?? null));
  const at = findHeader(start);
  const found = start[at];
  if (found === undefined)
    throw new ImportRefused('The file is empty. Its first line names the columns.');
  // Spreadsheets save empty columns at the end.
  const width = Math.max(...start.slice(at).map(({ cells }) => countFilled(cells)));
  const header = Array.from({ length: width }, (_, index) => (found.cells[index] ?? '').trim());
  checkHeader(header);
  const cells = raw[at]?.cells ?? [];
  const above = start.slice(0, at).filter(({ cells }) => !isEmpty(cells));
  return {
    header: header.map((_, index) => (cells[index] ?? '').trim()),
    old,
    notices: above.length === 0 ? [] : [describeTitle(above, found.line)],
    rows: { [Symbol.asyncIterator]: () => readRows(rows(), found.line, width) },
  };
}

/** By the first bytes of a ZIP archive, and of the older files of Excel. */
async function isWorkbook(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let start = Buffer.alloc(0);
  for await (const chunk of chunks) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= 4) break;
  }
  return ['504b0304', 'd0cf11e0'].includes(start.toString('hex', 0, 4));
}

/** Characters of a row above the headings in a notice. */
const MAX_SHOWN = 60;

function describeTitle(above: readonly FileRow[], line: number): string {
  const texts = above.map(({ cells }) => cells.join(' ').replaceAll(/\s+/g, ' ').trim());
  const shown = texts.map((text) => `“${text.slice(0, MAX_SHOWN).toWellFormed()}”`).join(', ');
  return `The headings are on line ${line}. What stands above them was left out: ${shown}`;
}

async function* readRows(
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
