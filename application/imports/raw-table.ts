/** The rows of a file before its headings are known, and where these are: a title often stands above them. */

import { decodeBytes, type Encoding } from './encodings.ts';
import type { OldEncoding } from './find-encoding.ts';
import { readHeading } from './headings.ts';

export interface FileRow {
  /** The line of the file on which the row starts, from 1; of a sheet, the number of the row. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether its quotes are wrong, so that they were read as text. */
  readonly isLoose?: true;
}

export interface RawTable {
  /** The first rows, with empty ones. */
  readonly start: readonly FileRow[];
  /** If it is not null, bytes are characters in all rows: see encodings.ts. */
  readonly old: OldEncoding | null;
  /** All rows, from the first one with each call. */
  readonly rows: () => AsyncIterable<FileRow>;
}

/** The row itself for a text in UTF-8. */
export function decodeRow<Row extends FileRow>(row: Row, encoding: Encoding | null): Row {
  if (encoding === null) return row;
  return { ...row, cells: row.cells.map((cell) => decodeBytes(cell, encoding)) };
}

export function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Rows with a cell in which the headings are looked for. */
const MAX_TITLE = 5;

/** The row with the most known headings; the first row with a cell if none is known; -1 if all are empty. */
export function findHeader(rows: readonly FileRow[]): number {
  const filled = rows.filter(({ cells }) => !isEmpty(cells)).slice(0, MAX_TITLE);
  let [best] = filled;
  for (const row of filled) {
    const known = countKnown(row);
    // A single known word beside other cells may be a thing.
    const isLikely = known > 1 || row.cells.filter((cell) => cell.trim() !== '').length === 1;
    if (best === undefined || (isLikely && known > countKnown(best))) best = row;
  }
  return best === undefined ? -1 : rows.indexOf(best);
}

/** How many headings of a row are known. */
export function countKnown({ cells }: FileRow): number {
  return cells.filter((cell) => readHeading(cell)?.isSure).length;
}
