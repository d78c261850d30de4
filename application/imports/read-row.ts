/**
 * Reads a row of a table as an item, by the use of each column. Every text is parsed by the field of the item form;
 * numbers and tags are first written as the form expects them, and what that changed is in `notices`.
 */

import { unifyCharacters } from 'seeother/languages';
import type { TableRow } from 'seeother/tables';
import { FIELDS, type ItemField, type ItemInput, itemFields } from '../items/item-fields.ts';
import type { Source } from '../items/item-sources.ts';
import { lendForm } from '../items/lend/lend-form.ts';
import { addLoan, type Loan, lentOf } from '../items/loan.ts';
import { parseNumber } from '../items/parse-number.ts';
import type { Definitions } from '../own-fields/definitions.ts';
import type { OwnFieldKind, OwnValue } from '../own-fields/own-field.ts';
import { type CellNote, cutCell } from './cell-note.ts';
import { type Columns, findOtherName, labelColumn, nameColumn } from './columns.ts';
import { type FileSources, isPlaceholder } from './file-sources.ts';
import { fieldIdOf, newKindOf } from './headings.ts';
import { readFileNames } from './match-photos.ts';
import { toKindColumn } from './new-kinds.ts';
import { isNoThing } from './not-a-thing.ts';
import { toOwnColumns } from './own-columns.ts';
import { programOf } from './programs.ts';
import { readAmount } from './read-amount.ts';
import { readDay, readMoment } from './read-date.ts';
import { readLocation } from './read-location.ts';
import { readNumber } from './read-number.ts';
import { readOwnValue } from './read-own-value.ts';
import { tidyText, unescapeCell } from './same-text.ts';

/** A row that stands for an item. */
export interface ItemRow {
  readonly line: number;
  /** Cut; empty if the row has none. */
  readonly name: string;
  /** Of the item that the row changes; null for one without. */
  readonly number: number | null;
  /** The fields for which the file has a column. */
  readonly values: Partial<ItemInput>;
  /** Of one's own fields for which the file has a column: see `OwnColumn`. An empty one removes the value. */
  readonly own: Readonly<Record<string, OwnValue>>;
  /** Who has the thing. Several loans are lines of the cells. */
  readonly loans: readonly RowLoan[];
  /** What tells the thing apart. */
  readonly sources: readonly Source[];
  /** When an export says that the item was added. */
  readonly added: string | null;
  /** The names of files in a zip. */
  readonly photos: readonly string[];
  readonly notices: readonly CellNote[];
}

/** In a file that does not say since when, or how many, these are null. */
export type RowLoan = Pick<Loan, 'to' | 'until'> & {
  readonly at: string | null;
  readonly quantity: number | null;
};

/** The loans of an item with the quantity; null if it has fewer. A loan of which nothing else is said is of all. */
export function toLoans(loans: readonly RowLoan[], quantity: number): readonly Loan[] | null {
  const at = new Date().toISOString();
  const whole = loans.length === 1 ? quantity : 1;
  const all = loans.reduce<readonly Loan[]>(
    (others, one) => addLoan(others, { ...one, at: one.at ?? at, quantity: one.quantity ?? whole }),
    [],
  );
  return all.some((one) => one.quantity === 0) || lentOf(all) > quantity ? null : all;
}

export const TOO_MANY_LENT = 'More would be lent than there is';

export interface RefusedRow {
  readonly line: number;
  readonly name: string;
  readonly problems: readonly CellNote[];
}

/** Characters of a reference. */
const MAX_REFERENCE = 200;

/** The texts by which tables say yes. */
const YES = /^(?:true|yes|y|1|x|ja|j|wahr|oui|o|vrai|archived|archiviert|archivé)$/i;

/** Reads one row after the other. What the columns are is asked once for all of them. */
export function createRowReader(
  columns: Columns,
  file: FileSources,
  definitions: Definitions,
): (row: TableRow) => ItemRow | RefusedRow {
  const { header, uses, facts, places } = columns;
  const [nameAt, otherNameAt] = [uses.indexOf('name'), findOtherName(columns)];
  const program = programOf(columns.program);
  const ownColumns = toOwnColumns(columns, definitions);
  const kindColumn = toKindColumn(columns, definitions);
  const labels = header.map((_, at) => labelColumn(columns, at));
  const lentToAt = uses.indexOf('lent to');
  /** Then a line of each cell is for a loan. */
  const hasLoanParts = uses.includes('lent quantity');
  const loanLines = (text: string) =>
    (hasLoanParts ? text.split('\n') : [text]).map((line) => line.trim()).entries();
  const isOwnExport = uses.includes('number');
  return ({ line, cells }) => {
    const problems: CellNote[] = [];
    const notices: CellNote[] = [];
    const values: Partial<Record<ItemField | 'kind', unknown>> = {};
    const own: Record<string, OwnValue> = {};
    /** What has no field, as lines. */
    const lines: string[] = [];
    let number: number | null = null;
    let photos: readonly string[] = [];
    const loans: { -readonly [Name in keyof RowLoan]: RowLoan[Name] }[] = [];
    const loanAt = (at: number) =>
      (loans[at] ??= { to: '', until: null, at: null, quantity: null });
    const hasName = isFilled(cells[nameAt]);
    const noThing =
      program?.isNoThing?.((heading) => cells[header.indexOf(heading)] ?? '') ??
      isNoThing(cells, line, columns);
    if (noThing !== null)
      problems.push({ column: '', cell: cutCell(cells.join(' ')), message: noThing });
    const count = noThing === null ? uses.length : 0;
    for (let index = 0; index < count; index++) {
      const use = uses[index] ?? 'ignore';
      // What tells the thing apart: see file-sources.ts.
      if (use === 'ignore' || use === 'references' || use === 'added') continue;
      const heading = header[index] ?? '';
      const label = labels[index] ?? '';
      const text = unescapeCell(cells[index] ?? '');
      const shown = text.trim();
      const note = (message: string): CellNote => ({
        column: nameColumn(heading, index),
        cell: cutCell(text),
        message,
      });
      const keep = () => {
        if (shown !== '') lines.push(label === '' ? shown : `${label}: ${shown}`);
      };
      const take = (field: ItemField, typed: string) => {
        const parsed = parse(field, typed);
        if (parsed.ok) values[field] = parsed.value;
        else problems.push(note(parsed.message));
      };
      if (use === 'photos') {
        photos = readFileNames(text);
        continue;
      }
      if (use === 'archived') {
        if (YES.test(shown)) problems.push(note('It is archived'));
        continue;
      }
      if (use === 'lent to') {
        for (const [at, line] of loanLines(text)) {
          const parsed = line === '' ? null : lendForm.fields.to.parse(line);
          if (parsed instanceof Promise) throw new TypeError('Cannot import who has a thing.');
          if (parsed?.ok === true) loanAt(at).to = parsed.value;
          if (parsed?.ok === false) problems.push(note(parsed.message));
        }
        continue;
      }
      if (use === 'lent until' || use === 'lent at' || use === 'lent quantity') {
        if (!isFilled(cells[lentToAt])) {
          keep();
          continue;
        }
        let isRead = true;
        for (const [at, line] of loanLines(text)) {
          const loan = loanAt(at);
          if (use === 'lent until') loan.until = readDay(line);
          else if (use === 'lent at') loan.at = readMoment(line);
          else loan.quantity = parseNumber(unifyCharacters(line));
          isRead &&= line === '' || loan[LOAN_PARTS[use]] !== null;
        }
        if (isRead) continue;
        notices.push(note('read as text, and kept in the description'));
        keep();
        continue;
      }
      if (use === 'number') {
        number = parseNumber(unifyCharacters(shown));
        if (number === null && shown !== '') problems.push(note('It is not the number of an item'));
        continue;
      }
      if (use === 'reference' && shown.length > MAX_REFERENCE)
        problems.push(note(`A reference has at most ${MAX_REFERENCE} characters`));
      const ownColumn = ownColumns[index] ?? null;
      if (ownColumn !== null) {
        if (index === otherNameAt && !hasName) take('name', tidyText(shown));
        const value = readOwnValue(ownColumn, text);
        if (value !== null) {
          own[ownColumn.key] = value;
          continue;
        }
        const { kind } = ownColumn;
        notices.push(note(`does not fit ${KINDS[kind]}, and is kept in the description`));
        keep();
        continue;
      }
      if (use === 'kind' || use === 'kinds') {
        const kind = kindColumn?.find(shown);
        const former = kindColumn?.findFormer(shown);
        if (former) notices.push(note(`is an earlier name of the kind “${former.name}”`));
        if (kind === undefined) {
          notices.push(note('is not a kind of things here, and is kept in the description'));
          keep();
        } else values.kind = kind;
        continue;
      }
      // The name is also what the column says.
      if (use !== 'other name' && index === otherNameAt && !hasName) {
        take('name', tidyText(shown));
        continue;
      }
      // A field that is gone, too.
      const isLine = use === 'in description' || fieldIdOf(use) !== null || newKindOf(use) !== null;
      if (use === 'reference' || isLine || (use === 'other name' && hasName)) {
        keep();
        continue;
      }
      if (use === 'name' && !hasName && otherNameAt !== -1) continue;
      const field = use === 'other name' ? 'name' : (use as ItemField);
      const { kind } = FIELDS[field];
      let typed = text;
      // A file has spaces that nobody sees, and line breaks that the width of a column has made.
      if (!isOwnExport && kind === 'line') typed = tidyText(shown);
      if (use === 'location' && !isOwnExport) {
        // A level of another program's path may have a comma, which separates levels here.
        const isPath = program?.places != null && program.places === places;
        typed = readLocation(isPath ? typed.replaceAll(/\s*,\s*/g, ' ') : typed, places);
        if (places !== null && typed !== readLocation(shown, null))
          notices.push(note(`read as ${typed}`));
      }
      if (kind === 'list' && !isOwnExport) typed = text.replaceAll(/[;|\n]/g, ',');
      if (kind === 'number') {
        typed = isNone(field, shown) ? '' : shown;
        const read = readNumber(typed, facts[index]?.decimalMark ?? null);
        const part = read === 'not whole' && program !== null ? readAmount(typed, null) : null;
        if (part !== null) {
          // A program that counts parts of a thing, too.
          typed = `${Math.max(Number(part.decimal) > 0 ? 1 : 0, Math.floor(Number(part.decimal)))}`;
          notices.push(note(`read as ${typed}, and kept in the description`));
          keep();
        } else if (read === 'not whole') {
          problems.push(note('It is not a whole number'));
          continue;
        }
        if (typeof read === 'object') {
          const kept = read.unit === null ? '' : ', and kept in the description';
          if (read.digits !== typed) notices.push(note(`read as ${read.digits}${kept}`));
          if (read.unit !== null) lines.push(`${nameColumn(heading, index)}: ${shown}`);
          typed = isNone(field, read.digits) ? '' : read.digits;
        }
      }
      take(field, typed);
    }
    const lent = loans.filter(({ to }) => to !== '' && !isPlaceholder(to));
    if (values.quantity === 0 && lent.length > 0 && !hasLoanParts) {
      // Of another program, whose number is that of what is on the shelf.
      const { to } = lent.pop() as RowLoan;
      lines.push(`${nameColumn(header[lentToAt] ?? '', lentToAt)}: ${to}`);
      const column = nameColumn(header[lentToAt] ?? '', lentToAt);
      notices.push({
        column,
        cell: cutCell(to),
        message: 'kept in the description: the quantity is 0',
      });
    } else if (typeof values.quantity === 'number' && toLoans(lent, values.quantity) === null)
      problems.push({
        column: nameColumn(header[lentToAt] ?? '', lentToAt),
        cell: '',
        message: TOO_MANY_LENT,
      });
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
    const name = cutCell(unescapeCell(cells[hasName ? nameAt : otherNameAt] ?? ''));
    if (problems.length > 0) return { line, name, problems };
    const placeholder = file.noteOf(cells);
    if (placeholder !== null) notices.push(placeholder);
    return {
      ...{
        line,
        name,
        number,
        notices,
        sources: file.sourcesOf(cells),
        added: file.addedAt(cells),
      },
      photos,
      loans: lent,
      values: values as Partial<ItemInput>,
      own,
    };
  };
}

const KINDS: Readonly<Record<OwnFieldKind, string>> = {
  text: 'a line of text',
  'long text': 'a text',
  number: 'the number',
  money: 'the amount of money',
  date: 'a date',
  'yes or no': 'yes or no',
  choice: 'a choice',
  choices: 'the choices',
  link: 'a link',
  person: 'the name of a person',
};

const LOAN_PARTS = { 'lent until': 'until', 'lent at': 'at', 'lent quantity': 'quantity' } as const;

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && tidyText(cell) !== '';
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
