/**
 * Opens a text or a file as a table: a header, and rows with as many cells. People's tables have a title above the
 * headings, separators of their country, and empty rows. `rows` reads the file again, so nothing stays open before or
 * after.
 */
import {
  COUNT,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionKinds,
} from '../http/check-options.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { OtherKind, TableWords } from '../language/words.ts';
import { decodeRow, decodeText } from './encodings.ts';
import { findDialect, findHeader, isEmpty, readFirst, readRows, START } from './find-dialect.ts';
import { findEncoding, type OldEncoding, readFirstBytes } from './find-encoding.ts';
import { MAX_HEADING } from './fold-heading.ts';
import type { TableRow } from './read-records.ts';
import { TableError } from './table-error.ts';

/** A text, or a file: each call of `chunks` starts at its first byte. An `UploadedFile` is one. */
export type TableSource = string | { readonly chunks: () => AsyncIterable<Uint8Array> };

/** Options of `openTable`. */
export interface TableOptions {
  /**
   * Whether a heading is known. Of the first five rows, the one with the most of them has the headings, and the others
   * above are left out. By default none is known, and the first row has them.
   */
  readonly knows?: (heading: string) => boolean;
  /** Whether the headings may be missing: then `header` is empty, unless a row has two known ones, or nothing else. */
  readonly optionalHeader?: boolean;
  /** 200,000 by default. */
  readonly maxRows?: number;
  /** 200 by default. */
  readonly maxColumns?: number;
  /** Of the messages and notices; English by default. */
  readonly language?: Language;
}

/** What `openTable` has found. */
export interface Table {
  /** A heading may be empty. In an old encoding, bytes are characters in it and in the rows: see `decodeRow`. */
  readonly header: readonly string[];
  /** The line of the headings; 0 without headings. */
  readonly headerLine: number;
  /** Null for UTF-8 and UTF-16. */
  readonly old: OldEncoding | null;
  /** What people have to know of how the file was read, one sentence each, without a full stop. */
  readonly notices: readonly string[];
  /** Rows with any cell. Throws a `TableError`. */
  readonly rows: AsyncIterable<TableRow>;
}

const OPTION_KINDS = {
  knows: FUNCTION,
  optionalHeader: FLAG,
  maxRows: COUNT,
  maxColumns: COUNT,
  language: OBJECT,
} satisfies OptionKinds<TableOptions>;

/** Finds encoding, separator and headings. Rejects with a `TableError`. */
export async function openTable(source: TableSource, options: TableOptions = {}): Promise<Table> {
  checkOptions('openTable', options, OPTION_KINDS);
  const { knows = () => false, optionalHeader = false, maxRows = 200_000, ...given } = options;
  const { maxColumns = 200, language = english } = given;
  const words = language.words.tables;
  const { old, read } = await findText(source, words);
  const encoding = old?.name ?? null;
  const text = await readStart(read());
  refuseOtherText(text, words);
  const looking = { knows: (one: string) => knows(one.trim()), encoding, words };
  const dialect = await findDialect(text, looking);
  const rows = () => readRows(read(), dialect, words);
  const raw = await readFirst(rows());
  const start = raw.map((row) => decodeRow(row, encoding));
  if (start.every(({ cells }) => isEmpty(cells))) throw new TableError(words.isEmpty);
  const at = findHeader(start, looking.knows, optionalHeader);
  const headerLine = start[at]?.line ?? 0;
  // Spreadsheets save empty columns at the end.
  const width = Math.max(...start.slice(Math.max(at, 0)).map(({ cells }) => countFilled(cells)));
  if (width > maxColumns) throw new TableError(words.tooManyColumns(width, maxColumns));
  const toHeader = ({ cells }: TableRow) =>
    Array.from({ length: width }, (_, index) => (cells[index] ?? '').trim());
  const found = start[at];
  if (found !== undefined) checkHeader(toHeader(found), words);
  const above = start.slice(0, Math.max(at, 0)).filter(({ cells }) => !isEmpty(cells));
  return {
    header: found === undefined ? [] : toHeader(raw[at] ?? found),
    headerLine,
    old,
    notices: above.length === 0 ? [] : [words.headingsBelow(headerLine, toTitles(above))],
    rows: {
      [Symbol.asyncIterator]: () =>
        readBelow(rows(), headerLine, width, maxRows, words.tooManyRows(maxRows)),
    },
  };
}

interface FoundText {
  readonly old: OldEncoding | null;
  /** Starts at the beginning with each call. */
  readonly read: () => AsyncIterable<string> | Iterable<string>;
}

async function findText(source: TableSource, words: TableWords): Promise<FoundText> {
  if (typeof source === 'string') {
    const text = source.replace(/^\ufeff/, '');
    return { old: null, read: () => [text] };
  }
  if (WORKBOOKS.includes(await readFirstBytes(source.chunks(), 4)))
    throw new TableError(words.isWorkbook);
  const { decoder, old } = await findEncoding(() => source.chunks(), words);
  return { old, read: () => decodeText(source.chunks(), decoder) };
}

/** The first bytes of a ZIP archive, and of the older files of Excel. */
const WORKBOOKS: readonly string[] = ['504b0304', 'd0cf11e0'];

async function readStart(text: AsyncIterable<string> | Iterable<string>): Promise<string> {
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
const OTHERS: readonly (readonly [begins: RegExp, kind: OtherKind])[] = [
  [
    /^\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)\s*)*<(?:!doctype html|html|head|meta|body|table)\b/i,
    'html',
  ],
  [/^MIME-Version:/i, 'mhtml'],
  [/^\s*<(?:\?xml|!doctype)\b/i, 'xml'],
  [/^\s*(?:\{\s*["}]|\[\s*[[{"\]])/, 'json'],
  [/^\{\\rtf/, 'rtf'],
  [/^%PDF-/, 'pdf'],
];

/** Characters in which a comment may stand before what tells. */
const MAX_BEGIN = 2_000;

function refuseOtherText(start: string, words: TableWords): void {
  const [, kind] = OTHERS.find(([begins]) => begins.test(start.slice(0, MAX_BEGIN))) ?? [];
  if (kind !== undefined) throw new TableError(words.isOther[kind]);
}

/** Characters of a row above the headings in a notice. */
const MAX_SHOWN = 60;

function toTitles(above: readonly TableRow[]): readonly string[] {
  const texts = above.map(({ cells }) => cells.join(' ').replaceAll(/\s+/g, ' ').trim());
  return texts.map((text) => text.slice(0, MAX_SHOWN).toWellFormed());
}

async function* readBelow(
  rows: AsyncIterable<TableRow>,
  after: number,
  width: number,
  maxRows: number,
  tooMany: string,
): AsyncGenerator<TableRow> {
  let count = 0;
  for await (const row of rows) {
    const { line, cells } = row;
    const filled = countFilled(cells);
    if (line <= after || filled === 0) continue;
    if (++count > maxRows) throw new TableError(tooMany);
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

function checkHeader(header: readonly string[], words: TableWords): void {
  const long = header.find((heading) => heading.length > MAX_HEADING);
  if (long !== undefined)
    throw new TableError(words.longHeading(long.slice(0, MAX_SHOWN).toWellFormed(), MAX_HEADING));
  if (header.some((cell) => cell.includes('\0'))) throw new TableError(words.notTable);
}
