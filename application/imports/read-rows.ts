/**
 * Reads a CSV file as a stream. Columns are in any order, separated by commas, semicolons (European Excel) or
 * tabs, with or without a byte order mark. Every cell is parsed by the field of the item form.
 */
import { Readable } from 'node:stream';
import type { CsvError, Info } from 'csv-parse';
import { COLUMNS, unescapeFormula } from '../items/export/csv.ts';
import { itemForm } from '../items/item-form.ts';
import type { ItemInput } from '../items/item-rows.ts';
import { parseNumber } from '../items/parse-number.ts';
import { decodeText } from './decode-text.ts';
import { ImportRefused } from './import-refused.ts';

export interface ReadRow {
  /** The line of the file on which the row starts, from 1. */
  readonly line: number;
  /** Null for a row that adds an item. */
  readonly number: number | null;
  /** The columns that the file has. */
  readonly values: Partial<ItemInput>;
}

export interface RefusedRow {
  readonly line: number;
  /** Which columns, and why. */
  readonly problem: string;
}

type Column = (typeof COLUMNS)[number];
type Record = { readonly record: readonly string[]; readonly info: Info };

/** UTF-16 code units of a row, including its quotes. */
const MAX_ROW = 200_000;
export const MAX_ROWS = 200_000;

/** Rejects with an `ImportRefused` for a file that is no table of items. */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadRow | RefusedRow> {
  // Most processes never read a file.
  const { CsvError, parse } = await import('csv-parse');
  const { delimiter, text } = await detectDelimiter(decodeText(chunks));
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  let columns: readonly Column[] | null = null;
  let line = 1;
  let emptyLines = 0;
  let count = 0;
  const seen = new Map<number, number>();
  try {
    for await (const { record, info } of parser as AsyncIterable<Record>) {
      const start = line + info.empty_lines - emptyLines;
      line = info.lines + 1;
      emptyLines = info.empty_lines;
      if (columns === null) {
        columns = readColumns(record);
        continue;
      }
      if (++count > MAX_ROWS)
        throw new ImportRefused(
          `The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it.`,
        );
      yield readRow(record, columns, start, seen);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ImportRefused(explain(error, line));
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (columns === null)
    throw new ImportRefused('The file is empty. Its first line names the columns.');
}

/** Looks at the first line, which has only names of columns. */
async function detectDelimiter(pieces: AsyncGenerator<string>) {
  let start = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start += value;
    if (start.includes('\n') || start.length > MAX_ROW) break;
  }
  const [first = ''] = start.split('\n', 1);
  const delimiter = [';', '\t'].find((one) => first.includes(one) && !first.includes(',')) ?? ',';
  async function* text() {
    yield start;
    yield* pieces;
  }
  return { delimiter, text: text() };
}

function readColumns(names: readonly string[]): readonly Column[] {
  const known = names.map((name) => COLUMNS.find((one) => one === name.trim().toLowerCase()));
  const unknown = names.find((_, index) => known[index] === undefined);
  if (unknown !== undefined) {
    throw new ImportRefused(
      `The file has a column “${unknown.trim().slice(0, 50)}”, which items do not have. Remove or rename it: the columns are ${COLUMNS.join(', ')}.`,
    );
  }
  const columns = known as readonly Column[];
  const repeated = columns.find((one, index) => columns.indexOf(one) !== index);
  if (repeated !== undefined)
    throw new ImportRefused(`The file has two columns “${repeated}”. Remove one.`);
  if (!columns.includes('name'))
    throw new ImportRefused(
      'The file has no column “name”. Its first line must name the columns, one of them “name”.',
    );
  return columns;
}

function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  line: number,
  seen: Map<number, number>,
): ReadRow | RefusedRow {
  if (cells.length !== columns.length) {
    return {
      line,
      problem: `It has ${cells.length} cells, and the first line names ${columns.length} columns`,
    };
  }
  const problems: string[] = [];
  const values = new Map<keyof ItemInput, unknown>();
  let number: number | null = null;
  for (const [index, column] of columns.entries()) {
    const text = unescapeFormula(cells[index] ?? '');
    if (column === 'number') {
      number = parseNumber(text.trim());
      if (number === null && text.trim() !== '')
        problems.push(`${nameCell(column, text)}: Number must be that of an item, or empty`);
      continue;
    }
    const parsed = text.includes('\0')
      ? { ok: false as const, message: 'It must not contain a NUL character' }
      : itemForm.fields[column].parse(text);
    // Only a field with a schema is parsed asynchronously, and no item field has one.
    if (parsed instanceof Promise) throw new TypeError(`Cannot import the column ${column}.`);
    if (parsed.ok) values.set(column, parsed.value);
    else problems.push(`${nameCell(column, text)}: ${parsed.message}`);
  }
  const earlier = number === null ? undefined : seen.get(number);
  if (earlier !== undefined) problems.push(`number: Item ${number} is already on line ${earlier}`);
  else if (number !== null) seen.set(number, line);
  if (problems.length > 0) return { line, problem: problems.join('; ') };
  return { line, number, values: Object.fromEntries(values) as Partial<ItemInput> };
}

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;

function nameCell(column: Column, text: string): string {
  const shown = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  if (shown === '') return column;
  const characters = [...shown.slice(0, 4 * MAX_SHOWN)];
  if (characters.length <= MAX_SHOWN) return `${column} “${shown}”`;
  return `${column} “${characters.slice(0, MAX_SHOWN).join('')}…”`;
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
