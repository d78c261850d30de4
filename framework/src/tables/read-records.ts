/**
 * Splits a text into rows. A quoted cell begins and ends with a quote, and a quote inside it is doubled. Where that is
 * not so, the quotes of the line are text, and its row says so: a quote that is not closed would swallow what follows.
 */
import type { TableWords } from '../language/words.ts';
import { TableError } from './table-error.ts';

/** One row of a table. */
export interface TableRow {
  /** The line of the text on which the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether its quotes are wrong, so that they were read as text. */
  readonly isLoose?: true;
}

export interface Dialect {
  /** One character. */
  readonly delimiter: string;
  /** What stands before a quote within a quoted cell: a quote, or a backslash. Null if quotes are text. */
  readonly escape: '"' | '\\' | null;
}

/** Characters of a row. */
const MAX_ROW = 200_000;
/** Rows with wrong quotes. Each may take the time of a longest row. */
const MAX_WRONG = 100;

/** Lines may end with LF, CR and LF, or CR, in any mixture. Throws a `TableError`. */
export async function* readRecords(
  text: AsyncIterable<string> | Iterable<string>,
  dialect: Dialect,
  words: TableWords,
): AsyncGenerator<TableRow> {
  let line = 1;
  let wrong = 0;
  let firstWrong = 0;

  /** Returns what is not a whole row yet. */
  function* takeRows(all: string, isEnd: boolean): Generator<TableRow, string> {
    let start = 0;
    while (start < all.length) {
      const isShort = all.length - start <= MAX_ROW;
      const row = readRow(all, start, dialect, isEnd);
      if (row === 'more' && isShort) break;
      if (typeof row === 'object' && row.end - start <= MAX_ROW) {
        yield { line, cells: row.cells };
        line += row.lines;
        start = row.end;
        continue;
      }
      const alone = readRow(all, start, { ...dialect, escape: null }, isEnd);
      const end = typeof alone === 'object' ? alone.end : all.length;
      if (end - start > MAX_ROW) throw new TableError(words.longRow(line, MAX_ROW));
      if (typeof alone !== 'object') break;
      if (++wrong === 1) firstWrong = line;
      if (wrong > MAX_WRONG) throw new TableError(words.wrongQuotes(MAX_WRONG, firstWrong));
      yield { line, cells: alone.cells, isLoose: true };
      line++;
      start = end;
    }
    return all.slice(start);
  }

  let rest = '';
  for await (const piece of text) rest = yield* takeRows(rest + piece, false);
  yield* takeRows(rest, true);
}

const LF = 10;
const CR = 13;
const QUOTE = 34;

/** `more`: the text ends before the row. `wrong`: a quoted cell does not end with a quote. */
function readRow(
  text: string,
  start: number,
  { delimiter, escape: mark }: Dialect,
  isEnd: boolean,
):
  | { readonly cells: readonly string[]; readonly end: number; readonly lines: number }
  | 'more'
  | 'wrong' {
  const cells: string[] = [];
  const between = delimiter.charCodeAt(0);
  const isOver = (at: number) => {
    const code = text.charCodeAt(at);
    return code === between || code === LF || code === CR || at >= text.length;
  };
  let lines = 1;
  for (let at = start; ; at++) {
    const from = at;
    at = skipSpaces(text, at, between);
    if (mark !== null && text.charCodeAt(at) === QUOTE) {
      const close = findClose(text, at + 1, mark);
      if (close === -1) return isEnd ? 'wrong' : 'more';
      const cell = text.slice(at + 1, close);
      lines += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
      cells.push(mark === '"' ? cell.replaceAll('""', '"') : cell.replaceAll(/\\(["\\])/g, '$1'));
      at = skipSpaces(text, close + 1, between);
      if (!isOver(at)) return 'wrong';
    } else {
      while (!isOver(at)) at++;
      // A name may begin with a mark of direction.
      cells.push(text.slice(from, at).trim());
    }
    const code = text.charCodeAt(at);
    if (code === between) continue;
    // A CR at the end may be half of a line end.
    if (!isEnd && code !== LF && at + 1 >= text.length) return 'more';
    return { cells, lines, end: at + (text.startsWith('\r\n', at) ? 2 : 1) };
  }
}

/** Spaces of all widths, and what shows nothing. */
const SPACE = /[\u00ad\u200b\u200e\u200f\u2060]|[^\S\u2028\u2029]/;

function skipSpaces(text: string, from: number, between: number): number {
  let at = from;
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code === between) return at;
    if (code !== 32 && code !== 9 && (code < 160 || !SPACE.test(text.charAt(at)))) return at;
  }
}

/** Where the quoted cell ends; -1 if it does not. */
function findClose(text: string, from: number, mark: '"' | '\\'): number {
  if (mark === '\\') {
    const found = /\\.|"/gs;
    found.lastIndex = from;
    for (let match = found.exec(text); match !== null; match = found.exec(text))
      if (match[0] === '"') return match.index;
    return -1;
  }
  let at = text.indexOf('"', from);
  while (text.charCodeAt(at + 1) === QUOTE && at !== -1) at = text.indexOf('"', at + 2);
  return at;
}
