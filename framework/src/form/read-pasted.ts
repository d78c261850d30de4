/** Reads pasted cells, or a file with a table, as the texts of rows. */
import { setImmediate } from 'node:timers/promises';
import type { AnyField, FieldText } from '../field/field.ts';
import type { Language } from '../language/language.ts';
import { describeReading } from '../tables/describe-reading.ts';
import { decodeRow } from '../tables/encodings.ts';
import { foldHeading } from '../tables/fold-heading.ts';
import type { TableRow } from '../tables/read-records.ts';
import { openTable, type TableSource } from '../tables/read-table.ts';
import { TableError } from '../tables/table-error.ts';
import type { BoundPart } from './bound-part.ts';
import { fillBlank } from './build-texts.ts';
import {
  type Fields,
  type PastedColumn,
  pastedColumns,
  type Rows,
  type TextTree,
} from './field-set.ts';
import { createCellReader } from './read-cell.ts';
import type { SentTree } from './sent.ts';

/** A row of the table as texts of the form. */
export interface ReadRow {
  /** Of the table, from 1. */
  readonly line: number;
  readonly texts: TextTree;
  /** What no text of the field can show, such as “perhaps” in a checkbox. */
  readonly problems: readonly { readonly at: readonly string[]; readonly message: string }[];
  /** The columns of the table, by the paths of their fields in the row. */
  readonly columns: readonly string[];
}

export interface ReadTable {
  /** Those after the most that the form takes have only their line: they are counted, and not read. */
  readonly rows: readonly ReadRow[];
  /** How it was read: sentences without a full stop. */
  readonly said: readonly string[];
  /** The text of these rows, which are the last ones, with the headings. */
  readonly rest: (rows: readonly ReadRow[]) => string;
}

/** Rows between which other requests run. */
const BETWEEN = 1_000;

/** `field` is the one that `rows` are filled from. Rejects with a `TableError`. */
export async function readPasted(
  rows: BoundPart,
  field: BoundPart,
  language: Language,
): Promise<ReadTable> {
  const { words, translate } = language;
  const part = rows.part as Rows<Fields>;
  const columns = pastedColumns(part.row);
  const source = await toSource(field, language);
  const find = createFinder(columns, part.paste?.headings ?? {}, translate);
  const knows = (heading: string) => find(heading) !== undefined;
  const table = await openTable(source, { knows, optionalHeader: true, language });
  const encoding = table.old?.name ?? null;
  const { cells: header } = decodeRow({ line: 0, cells: table.header }, encoding);
  const used = toUsed(header, columns, find);
  const known = used.flatMap((one) => columns[one ?? -1]?.path.join('.') ?? []);
  const readers = columns.map((one) => createCellReader(one.field, language));
  const found: ReadRow[] = [];
  const loose: TableRow[] = [];
  const unknown = new Set<number>();
  for await (const raw of table.rows) {
    // Pasted rows are there at once, and would block the event loop.
    if (found.length % BETWEEN === BETWEEN - 1) await setImmediate();
    const row = decodeRow(raw, encoding);
    if (row.cells.some((cell) => cell.includes('\0'))) throw new TableError(words.tables.notTable);
    if (found.length >= part.max) {
      found.push({ line: row.line, texts: {}, problems: [], columns: [] });
      continue;
    }
    if (row.isLoose) loose.push(row);
    const texts = fillBlank(part.row, undefined, language);
    const problems: { at: readonly string[]; message: string }[] = [];
    for (const [index, cell] of row.cells.entries()) {
      const typed = cell.trim();
      const column = used[index];
      if (typed === '') continue;
      if (column === undefined) {
        unknown.add(index);
        continue;
      }
      const { text, problem } = (readers[column] as (typeof readers)[number])(typed);
      const { path } = columns[column] as PastedColumn;
      setText(texts, path, text);
      if (problem !== null) problems.push({ at: path, message: problem });
    }
    found.push({ line: row.line, texts, problems, columns: known });
  }
  if (found.length === 0) throw new TableError(words.tables.isEmpty);
  const said = [...describeReading(table, loose, language)];
  if (header.length === 0)
    said.push(words.tables.noHeadings(columns.map((one) => translate(one.field.label))));
  if (unknown.size > 0) said.push(words.tables.unknownColumns(toNames(unknown, header, language)));
  const rest = ([first]: readonly ReadRow[]) => {
    const lines = String(source).split(/\r\n|\n|\r/);
    const { headerLine } = table;
    return [...lines.slice(0, headerLine), ...lines.slice((first?.line ?? 1) - 1)].join('\n');
  };
  return { rows: found, said, rest };
}

/** Rejects with a `TableError` for a text or a file that the field refuses. */
async function toSource(field: BoundPart, language: Language): Promise<TableSource> {
  const sent = field.sent as SentTree;
  const [entry] = sent.entries;
  const own = field.part as AnyField;
  if (own.receive === undefined) {
    const { words } = language;
    if (entry?.flaw === 'nul') throw new TableError(words.hasNul(field.label));
    if (entry?.flaw === 'encoding') throw new TableError(words.unreadable(field.label));
    const { maxLength = 0 } = own.limits;
    if (sent.text.length > maxLength) throw new TableError(words.tooLong(field.label, maxLength));
    return sent.text;
  }
  const file = entry?.file;
  const given = file === undefined ? { language } : { language, file };
  const parsed = await own.parse(sent.text, given);
  if (!parsed.ok) throw new TableError(language.translate(parsed.message));
  return parsed.value;
}

type Find = (heading: string) => number | undefined;

/** Finds the column that a heading means: by its label, or else by its name, or else by the further headings. */
function createFinder(
  columns: readonly PastedColumn[],
  headings: Readonly<Record<string, readonly string[]>>,
  translate: Language['translate'],
): Find {
  const known = new Map<string, number>();
  const add = (namesOf: (column: PastedColumn) => readonly string[]) => {
    for (const [at, column] of columns.entries())
      for (const name of namesOf(column)) {
        const folded = foldHeading(name);
        if (folded !== '' && !known.has(folded)) known.set(folded, at);
      }
  };
  add(({ field: { label } }) => [translate(label), label]);
  add(({ path }) => headings[path.join('.')] ?? []);
  add(({ path }) => [path.join(' '), ...path.slice(-1)]);
  // “Age (years)” is “Age”.
  return (heading) =>
    known.get(foldHeading(heading)) ?? known.get(foldHeading(heading.replace(/[([].*$/s, '')));
}

/** For each column of the table, that of the row: once by its heading or, without headings, all in their order. */
function toUsed(
  header: readonly string[],
  columns: readonly PastedColumn[],
  find: Find,
): readonly (number | undefined)[] {
  if (header.length === 0) return columns.map((_, at) => at);
  const found = header.map(find);
  return found.map((one, at) => (found.indexOf(one) === at ? one : undefined));
}

/** Columns in a notice, and characters of each. */
const MAX_COLUMNS = 10;
const MAX_NAME = 40;

function toNames(
  columns: ReadonlySet<number>,
  header: readonly string[],
  { words }: Language,
): readonly string[] {
  const sorted = [...columns].sort((one, other) => one - other);
  const names = sorted.slice(0, MAX_COLUMNS).map((at) => {
    const name = header[at]?.slice(0, MAX_NAME).toWellFormed() ?? '';
    return name === '' ? words.tables.column(at + 1) : name;
  });
  return sorted.length > MAX_COLUMNS ? [...names, '…'] : names;
}

/** `texts` were made for this row. */
function setText(texts: TextTree, path: readonly string[], text: FieldText): void {
  const owner = path.slice(0, -1).reduce((tree, step) => tree[step] as TextTree, texts);
  (owner as Record<string, FieldText>)[path.at(-1) as string] = text;
}
