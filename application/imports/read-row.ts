/**
 * Reads a row of a table as an item, by the use of each column. Every text is parsed by the field of the item form;
 * numbers and tags are first written as the form expects them, and what that changed is in `notices`.
 */
import { unescapeFormula } from '../items/export/csv.ts';
import { FIELDS, type ItemField, type ItemInput, itemFields } from '../items/item-fields.ts';
import { lendForm } from '../items/lend/lend-form.ts';
import type { Loan } from '../items/loan.ts';
import { parseNumber } from '../items/parse-number.ts';
import type { ColumnFacts, ColumnUse } from './columns.ts';
import { type Ends, isNoThing } from './not-a-thing.ts';
import type { TableRow } from './raw-table.ts';
import { readDay, readMoment } from './read-date.ts';
import { type PlaceMark, readLocation } from './read-location.ts';
import { readNumber } from './read-number.ts';
import { evenSpaces } from './same-text.ts';

/** What the cells of all rows mean. */
export interface Columns {
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  readonly facts: readonly ColumnFacts[];
  /** What separates places inside places; null for commas alone. */
  readonly places: PlaceMark | null;
  /** Of the first and the last row; null for a file without rows. */
  readonly lines: Ends | null;
}

/** Says something of a cell. Notes of the same kind have the same `column` and `message`. */
export interface CellNote {
  /** The heading; empty for the whole row. */
  readonly column: string;
  /** The text of the cell, cut; may be empty. */
  readonly cell: string;
  /** Without a full stop. */
  readonly message: string;
}

export interface ReadRow {
  readonly line: number;
  /** Cut; empty if the row has none. */
  readonly name: string;
  /** Of the item that the row changes; null for one without. */
  readonly number: number | null;
  /** What the file tells the thing apart by; null without one. */
  readonly reference: string | null;
  /** The fields for which the file has a column. */
  readonly values: Partial<ItemInput>;
  /** Who has the thing. Null if nobody has it, and if the file has no such column. */
  readonly loan: RowLoan | null;
  readonly notices: readonly CellNote[];
}

/** `at` is null in a file that does not say since when. */
export type RowLoan = Pick<Loan, 'to' | 'until'> & { readonly at: string | null };

export interface RefusedRow {
  readonly line: number;
  readonly name: string;
  readonly cells: readonly string[];
  readonly problems: readonly CellNote[];
}

/** “3,00”: read as 3. */
export function describeNote({ column, cell, message }: CellNote): string {
  const where = [column, cell === '' ? '' : `“${cell}”`].filter((one) => one !== '').join(' ');
  return where === '' ? message : `${where}: ${message}`;
}

/** Characters of a reference. */
export const MAX_REFERENCE = 200;

/** The texts by which tables say yes. */
const YES = /^(?:true|yes|y|1|x|ja|j|wahr|oui|o|vrai|archived|archiviert|archivé)$/i;

/** Reads one row after the other. What the columns are is asked once for all of them. */
export function createRowReader(columns: Columns): (row: TableRow) => ReadRow | RefusedRow {
  const { uses } = columns;
  const at = {
    name: uses.indexOf('name'),
    otherName: uses.indexOf('other name'),
    lentTo: uses.indexOf('lent to'),
  };
  const isOwnExport = uses.includes('number');
  return (row) => readRow(row, columns, at, isOwnExport);
}

function readRow(
  { line, cells }: TableRow,
  columns: Columns,
  at: { readonly name: number; readonly otherName: number; readonly lentTo: number },
  isOwnExport: boolean,
): ReadRow | RefusedRow {
  const { header, uses, facts, places } = columns;
  const problems: CellNote[] = [];
  const notices: CellNote[] = [];
  const values: Partial<Record<ItemField, unknown>> = {};
  /** What has no field, as lines. */
  const lines: string[] = [];
  let number: number | null = null;
  let reference: string | null = null;
  const loan = { to: '', until: null as string | null, at: null as string | null };
  const hasName = isFilled(cells[at.name]);
  const noThing = isNoThing(cells, line, columns);
  if (noThing !== null)
    problems.push({ column: '', cell: cutCell(cells.join(' ')), message: noThing });
  const count = noThing === null ? uses.length : 0;
  for (let index = 0; index < count; index++) {
    const use = uses[index] ?? 'ignore';
    // What tells the thing apart: see file-sources.ts.
    if (use === 'ignore' || use === 'references' || use === 'added') continue;
    const heading = header[index] ?? '';
    const text = unescapeFormula(cells[index] ?? '');
    const shown = text.trim();
    const note = (message: string): CellNote => ({
      column: nameColumn(heading, index),
      cell: cutCell(text),
      message,
    });
    const keep = () => {
      if (shown !== '') lines.push(heading === '' ? shown : `${heading}: ${shown}`);
    };
    if (use === 'archived') {
      if (YES.test(shown)) problems.push(note('It is archived'));
      continue;
    }
    if (use === 'lent to') {
      const parsed = shown === '' ? null : lendForm.fields.to.parse(shown);
      if (parsed instanceof Promise) throw new TypeError('Cannot import who has a thing.');
      if (parsed?.ok === true) loan.to = parsed.value;
      if (parsed?.ok === false) problems.push(note(parsed.message));
      continue;
    }
    if (use === 'lent until' || use === 'lent at') {
      const day = use === 'lent at' ? readMoment(shown) : readDay(shown);
      if (!isFilled(cells[at.lentTo])) keep();
      else if (day !== null) loan[use === 'lent at' ? 'at' : 'until'] = day;
      else if (shown !== '') {
        notices.push(note('read as text, and kept in the description'));
        keep();
      }
      continue;
    }
    if (use === 'number') {
      number = parseNumber(shown);
      if (number === null && shown !== '') problems.push(note('It is not the number of an item'));
      continue;
    }
    if (use === 'reference' && shown !== '') {
      if (shown.length <= MAX_REFERENCE) reference = shown;
      else problems.push(note(`A reference has at most ${MAX_REFERENCE} characters`));
    }
    if (use === 'reference' || use === 'in description' || (use === 'other name' && hasName)) {
      keep();
      continue;
    }
    if (use === 'name' && !hasName && at.otherName !== -1) continue;
    const field = use === 'other name' ? 'name' : use;
    const { kind } = FIELDS[field];
    let typed = text;
    // A file has spaces that nobody sees, and line breaks that the width of a column has made.
    if (!isOwnExport && kind === 'line') typed = evenSpaces(shown);
    if (use === 'location' && !isOwnExport) {
      typed = readLocation(typed, places);
      if (places !== null && typed !== readLocation(shown, null))
        notices.push(note(`read as ${typed}`));
    }
    if (kind === 'list' && !isOwnExport) typed = text.replaceAll(/[;|\n]/g, ',');
    if (kind === 'number') {
      typed = isNone(field, shown) ? '' : shown;
      const read = readNumber(typed, facts[index]?.decimalMark ?? null);
      if (read === 'not whole') {
        problems.push(note('It is not a whole number'));
        continue;
      }
      if (read !== 'no number') {
        const kept = read.unit === null ? '' : ', and kept in the description';
        if (read.digits !== typed) notices.push(note(`read as ${read.digits}${kept}`));
        if (read.unit !== null) lines.push(`${nameColumn(heading, index)}: ${shown}`);
        typed = isNone(field, read.digits) ? '' : read.digits;
      }
    }
    const parsed = parse(field, typed);
    if (parsed.ok) values[field] = parsed.value;
    else problems.push(note(parsed.message));
  }
  const surplus = cells.find((cell, index) => index >= header.length && isFilled(cell));
  if (surplus !== undefined) {
    const column = `Column ${header.length + 1}`;
    const message = `The row has more cells than the ${header.length} headings`;
    problems.push({ column, cell: cutCell(surplus), message });
  }
  if (lines.length > 0) {
    const text = [values.description, ...lines].filter((one) => one !== undefined && one !== '');
    const parsed = parse('description', text.join('\n'));
    if (parsed.ok) values.description = parsed.value;
    else problems.push({ column: 'Description', cell: '', message: parsed.message });
  }
  const name = cutCell(unescapeFormula(cells[hasName ? at.name : at.otherName] ?? ''));
  if (problems.length > 0) return { line, name, cells, problems };
  return {
    line,
    name,
    number,
    reference,
    loan: loan.to === '' ? null : loan,
    values: values as Partial<ItemInput>,
    notices,
  };
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

/** “-” in a table is no number; and a thing with a minimum of 0 never runs low. */
function isNone(use: ItemField, text: string): boolean {
  return /^[-–—]+$/.test(text) || (use === 'minimum' && /^0+$/.test(text));
}

function parse(use: ItemField, text: string) {
  if (text.includes('\0'))
    return { ok: false as const, message: 'It must not contain a NUL character' };
  const parsed = itemFields[use].parse(text);
  // Only a field with a schema is parsed asynchronously, and no item field has one.
  if (parsed instanceof Promise) throw new TypeError(`Cannot import the field ${use}.`);
  return parsed;
}

/** How a column without a heading is called. */
export function nameColumn(heading: string, index: number): string {
  return heading === '' ? `Column ${index + 1}` : heading;
}

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;
/** Most cells. */
const SHORT = /^[ -~]{0,40}$/;

export function cutCell(text: string): string {
  if (SHORT.test(text)) return text.trim();
  const shown = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  const characters = [...shown.slice(0, 4 * MAX_SHOWN)];
  if (characters.length <= MAX_SHOWN) return shown;
  return `${characters.slice(0, MAX_SHOWN).join('')}…`;
}
