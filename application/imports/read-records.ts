/**
 * Splits a text into records with `csv-parse`, which is strict: a quoted cell begins and ends with a quote, and a quote
 * inside it is doubled. Where that is not so, the record is read on its own, and says so. A quote that is not closed
 * is text, and ends with its line: otherwise it would swallow the rows that follow.
 */
import type { CsvError, Options } from 'csv-parse';
import { ImportRefused } from './import-refused.ts';
import type { FileRow } from './raw-table.ts';

export interface Dialect {
  /** One character. */
  readonly delimiter: string;
  /** What stands before a quote within a quoted cell: a quote, or a backslash. */
  readonly escape: '"' | '\\';
  readonly lineEnds: readonly string[];
}

/** In any mixture: a file that was edited with two programs has several. */
export const LINE_ENDS = ['\r\n', '\n', '\r'];

/** Bytes of a row in UTF-8, including its quotes. */
const MAX_ROW = 200_000;
/** Records with wrong quotes. Each may take the time of a longest row. */
const MAX_WRONG = 100;
/** UTF-16 code units that are read before they are parsed: few at first, because some callers read only some rows. */
export const FIRST_BLOCK = 4_096;
const MAX_BLOCK = 65_536;

const LF = 10;
const CR = 13;

/** Throws an `ImportRefused`. */
export async function* readRecords(
  text: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<FileRow> {
  // Most processes never read a file.
  const { parse } = await import('csv-parse/sync');
  const { delimiter, escape: mark, lineEnds } = dialect;
  const options: Options = {
    ...{ delimiter, escape: mark, record_delimiter: [...lineEnds] },
    relax_column_count: true,
    trim: true,
    // A quote within a cell that does not begin with one is text: people write inches so. `isStrict` checks the others.
    relax_quotes: true,
    max_record_size: MAX_ROW,
  };
  let rest = Buffer.alloc(0);
  let line = 1;
  let wrong = 0;
  let firstWrong = 0;

  /** What could be parsed, with where the last record ends. */
  function parseAll(bytes: Buffer, more: Options) {
    const records: { readonly cells: readonly string[]; readonly end: number }[] = [];
    try {
      parse(bytes, {
        ...{ ...options, ...more },
        on_record: (cells: string[], { bytes: end }) => {
          records.push({ cells, end });
          return null;
        },
      });
      return { records, code: null };
    } catch (error) {
      const { code } = error as CsvError;
      if (code === undefined) throw error;
      return { records, code: String(code) };
    }
  }

  /** Whether quotes at the start of cells belong to their texts. */
  function isStrict(cells: readonly string[], bytes: Buffer): boolean {
    if (!cells.some((cell) => cell.startsWith('"'))) return true;
    return parseAll(bytes, { relax_quotes: false }).code === null;
  }

  /** The first record of bytes in which the quotes are wrong. */
  function readLoosely(bytes: Buffer): { readonly cells: readonly string[]; readonly end: number } {
    for (const trim of [true, false]) {
      const [first] = parseAll(bytes, { trim, to: 1 }).records;
      // With several lines, the cell has swallowed what follows.
      const swallows = (cell: string) => cell.startsWith('"') && /[\r\n]/.test(cell);
      if (first !== undefined && !first.cells.some(swallows)) return first;
    }
    const end = endOfLine(bytes);
    if (end > MAX_ROW) throw new ImportRefused(tooLong(line));
    const [alone] = parseAll(bytes.subarray(0, end), { quote: false, escape: null }).records;
    return { cells: alone?.cells ?? [], end };
  }

  function* takeRows(isEnd: boolean): Generator<FileRow> {
    const whole = isEnd ? rest.length : endOfLines(rest);
    let start = 0;
    while (start < whole) {
      const bytes = rest.subarray(start, whole);
      const { records, code } = parseAll(bytes, {});
      let done = 0;
      for (const { cells, end } of records) {
        const record = bytes.subarray(done, end);
        if (!isStrict(cells, record)) break;
        yield { line, cells };
        line += countLines(record);
        done = end;
      }
      start += done;
      const left = bytes.subarray(done);
      const isRead = done === (records.at(-1)?.end ?? 0);
      if (isRead && code === null) break;
      if (isRead && code === 'CSV_QUOTE_NOT_CLOSED' && !isEnd && left.length <= MAX_ROW) break;
      const { cells, end } = readLoosely(left);
      if (++wrong === 1) firstWrong = line;
      if (wrong > MAX_WRONG) throw new ImportRefused(tooManyWrong(firstWrong));
      yield { line, cells, isLoose: true };
      line += countLines(left.subarray(0, end));
      start += end;
    }
    rest = rest.subarray(start);
    if (rest.length > MAX_ROW && endOfLines(rest) === 0) throw new ImportRefused(tooLong(line));
  }

  let pieces: Buffer[] = [];
  let length = 0;
  let block = FIRST_BLOCK;
  for await (const piece of text) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length < block) continue;
    block = Math.min(2 * block, MAX_BLOCK);
    rest = Buffer.concat([rest, ...pieces]);
    [pieces, length] = [[], 0];
    yield* takeRows(false);
  }
  rest = Buffer.concat([rest, ...pieces]);
  yield* takeRows(true);
}

/** How many line ends there are. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) count++;
  return count;
}

/** Where the first line ends. */
function endOfLine(bytes: Buffer): number {
  const at = bytes.findIndex((byte) => byte === LF || byte === CR);
  if (at === -1) return bytes.length;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
}

/** Where the last whole line ends. A CR at the end may be half of a line end. */
function endOfLines(bytes: Buffer): number {
  const last = bytes.length - (bytes.at(-1) === CR ? 2 : 1);
  return Math.max(bytes.lastIndexOf(LF, last), bytes.lastIndexOf(CR, last)) + 1;
}

function tooLong(line: number): string {
  return `The row on line ${line} is longer than ${MAX_ROW.toLocaleString('en')} characters.`;
}

function tooManyWrong(line: number): string {
  return `The quotes are wrong on more than ${MAX_WRONG} lines, the first of which is line ${line}. A quoted cell must begin and end with a quote, and a quote inside it is doubled.`;
}
