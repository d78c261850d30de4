/** Tables of spreadsheets: text that was copied from one, and files that one has saved as CSV. */
export { describeReading } from './src/tables/describe-reading.ts';
export { decodeBytes, decodeRow, ENCODINGS, type Encoding } from './src/tables/encodings.ts';
export { foldHeading } from './src/tables/fold-heading.ts';
export type { TableRow } from './src/tables/read-records.ts';
export { openTable, type Table } from './src/tables/read-table.ts';
export { TableError } from './src/tables/table-error.ts';
