/** Opens a file to import as a table whose headings are those of things. */
import type { UploadedFile } from 'seeother/files';
import { openTable, type Table } from 'seeother/tables';
import { readHeading } from './headings.ts';

export const MAX_ROWS = 200_000;
/** A form has at most 200 fields, and the page of the columns has two for each. */
export const MAX_COLUMNS = 80;

/** Rejects with a `TableError`. */
export function openFile(file: Pick<UploadedFile, 'chunks'>): Promise<Table> {
  return openTable(file, {
    knows: (heading) => readHeading(heading)?.isSure === true,
    maxRows: MAX_ROWS,
    maxColumns: MAX_COLUMNS,
  });
}
