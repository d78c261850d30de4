/** Reads a text file as rows: CSV with commas, semicolons (European Excel), tabs or pipes. */
import { decodeText } from './encodings.ts';
import { findEncoding } from './find-encoding.ts';
import { HOW_TO_SAVE, ImportRefused } from './import-refused.ts';
import { countKnown, decodeRow, type FileRow, findHeader, type RawTable } from './raw-table.ts';
import { type Dialect, FIRST_BLOCK, LINE_ENDS, readRecords } from './read-records.ts';

/** Rows, and UTF-16 code units, in which the separator and the headings are looked for. */
const START = { rows: 20, length: 50_000 };

/** `read` starts at the first byte with each call. Rejects with an `ImportRefused`. */
export async function openCsv(read: () => AsyncIterable<Uint8Array>): Promise<RawTable> {
  const { decoder, old } = await findEncoding(read);
  const text = await readStart(decodeText(read(), decoder));
  refuseOtherText(text);
  const decode = (row: FileRow) => decodeRow(row, old?.name ?? null);
  const dialect = await findDialect(text, decode);
  const rows = () => readRows(decodeText(read(), decoder), dialect);
  const start = await firstOf(rows());
  return { start, old, rows };
}

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

async function firstOf(rows: AsyncIterable<FileRow>): Promise<readonly FileRow[]> {
  const first: FileRow[] = [];
  for await (const row of rows) if (first.push(row) === START.rows) break;
  return first;
}

/** A line by which people tell Excel the separator. */
const TOLD = /^"?sep=(.)"?$/i;

/**
 * The one that the file names, or in which its rows look most like a table. A separator is in each row as often; what
 * is in some rows only, such as a comma, belongs to their texts.
 */
async function findDialect(start: string, decode: (row: FileRow) => FileRow): Promise<Dialect> {
  const [, told] = TOLD.exec(start.split(/[\r\n]/, 1)[0] ?? '') ?? [];
  const judged: (Dialect & { readonly merits: readonly number[] })[] = [];
  // A backslash only where a quote that is doubled does not explain the file.
  for (const delimiter of told === undefined ? [',', ';', '\t', '|'] : [told])
    for (const mark of ['"', '\\'] as const) {
      const dialect = { delimiter, escape: mark, lineEnds: LINE_ENDS };
      const rows = await firstOf(readRows(textOf(start), dialect));
      judged.push({ ...dialect, merits: judge(rows.map(decode)) });
    }
  return judged.reduce((best, one) => (isMore(one.merits, best.merits) ? one : best));
}

/** In pieces, because mostly the first of them has all rows that are looked at. */
async function* textOf(start: string): AsyncGenerator<string> {
  yield* start.match(new RegExp(`.{1,${FIRST_BLOCK}}`, 'gsu')) ?? [];
}

/** The first merit that differs decides. */
function judge(rows: readonly FileRow[]): readonly number[] {
  const header = rows[findHeader(rows)];
  // Nothing but separators.
  if (header === undefined) return [Number.POSITIVE_INFINITY];
  const widths = rows.map(({ cells }) => cells.length);
  const counts = [...Map.groupBy(widths, (width) => width)].map(
    ([width, list]) => [width, list.length] as const,
  );
  const [width, often] = counts.reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  return [
    countKnown(header),
    -rows.filter(({ isLoose }) => isLoose).length,
    Math.min(Math.max(header.cells.length, width), 2),
    often / rows.length,
    widths.reduce((sum, one) => sum + one, 0),
  ];
}

function isMore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((merit, index) => merit !== other[index]);
  return (one[at] ?? 0) > (other[at] ?? 0);
}

async function* readRows(text: AsyncIterable<string>, dialect: Dialect): AsyncGenerator<FileRow> {
  for await (const row of readRecords(text, dialect))
    if (row.line > 1 || !TOLD.test(row.cells.join(dialect.delimiter))) yield row;
}
