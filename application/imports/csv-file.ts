/**
 * Reads a text file as rows: CSV with commas, semicolons (European Excel), tabs or pipes. A quote within a cell that
 * does not start with one is text: people write inches so.
 */
import { Readable } from 'node:stream';
import type { CsvError, Info, Options } from 'csv-parse';
import { decodeText, findEncoding } from './encoding.ts';
import { ImportRefused } from './import-refused.ts';
import { countKnown, findHeader, type RawTable, type TableRow } from './raw-table.ts';

/** UTF-16 code units of a row, including its quotes. */
const MAX_ROW = 200_000;
/** Rows, and UTF-16 code units, in which the separator and the headings are looked for. */
const START = { rows: 20, length: 50_000 };

/** `read` starts at the first byte with each call. Rejects with an `ImportRefused`. */
export async function openCsv(read: () => AsyncIterable<Uint8Array>): Promise<RawTable> {
  const { name, notice } = await findEncoding(read);
  const delimiter = await findDelimiter(await readStart(decodeText(read(), name)));
  const rows = () => readCsv(decodeText(read(), name), delimiter);
  return { start: await firstOf(rows()), notices: notice === null ? [] : [notice], rows };
}

async function readStart(text: AsyncIterable<string>): Promise<string> {
  let start = '';
  for await (const piece of text) {
    start += piece;
    if (start.length >= START.length) break;
  }
  return start.slice(0, START.length);
}

async function firstOf(rows: AsyncIterable<TableRow>): Promise<readonly TableRow[]> {
  const first: TableRow[] = [];
  for await (const row of rows) if (first.push(row) === START.rows) break;
  return first;
}

/** The one that the file names, or that gives the most known headings, and then the most cells. */
async function findDelimiter(start: string): Promise<string> {
  const [, told] = /^sep=(.)/.exec(start) ?? [];
  if (told !== undefined) return told;
  let best = { delimiter: ',', known: 0, cells: 0 };
  for (const delimiter of [',', ';', '\t', '|']) {
    // What is wrong with a quote, the reading of all rows says.
    const rows = await firstOf(readCsv([start], delimiter)).catch(() =>
      firstOf(readCsv([start], delimiter, { quote: false })),
    );
    const header = rows[findHeader(rows)];
    const known = header === undefined ? 0 : countKnown(header);
    const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
    if (known > best.known || (known === best.known && cells > best.cells))
      best = { delimiter, known, cells };
  }
  return best.delimiter;
}

type Record = { readonly record: readonly string[]; readonly info: Info };

async function* readCsv(
  text: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
  options: Options = {},
): AsyncGenerator<TableRow> {
  // Most processes never read a file.
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
    ...options,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  let line = 1;
  let emptyLines = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Record>) {
      const start = line + info.empty_lines - emptyLines;
      line = info.lines + 1;
      emptyLines = info.empty_lines;
      const [first, ...others] = record;
      // A line by which people tell Excel the separator.
      if (start === 1 && first === 'sep=' && others.join('') === '') continue;
      yield { line: start, cells: record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ImportRefused(explain(error, line));
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

function explain(error: CsvError, start: number): string {
  // The parser may be ahead of the rows that were yielded, so the error's own line is more exact.
  const { lines: line = start } = error as { readonly lines?: number };
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quote that starts on line ${start} or later is not closed.`;
    case 'CSV_MAX_RECORD_SIZE':
      return `The row on line ${line} is longer than ${MAX_ROW.toLocaleString('en')} characters. A quote may not be closed.`;
    default:
      return `Line ${line} is not valid CSV: a quoted cell must start and end with a quote, and a quote inside it is doubled.`;
  }
}
