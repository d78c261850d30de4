/** Says how a table was read, where people have to look at it. */
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { decodeBytes, ENCODINGS } from './encodings.ts';
import type { TableRow } from './read-records.ts';
import type { Table } from './read-table.ts';

/** Rows in a notice, and characters of a cell. */
const MAX_ROWS = 5;
const MAX_CELL = 40;

/**
 * Sentences without a full stop: the encoding of the table with some of its words, its notices, and the rows whose
 * quotes were wrong, which have `isLoose`.
 */
export function describeReading(
  { old, notices }: Pick<Table, 'old' | 'notices'>,
  loose: readonly TableRow[],
  { words: { tables } }: Language = english,
): readonly string[] {
  const said = [...notices];
  if (old !== null) {
    const [title = ''] = ENCODINGS.find(({ value }) => value === old.name)?.label.split(',') ?? [];
    const words = old.words.map((word) => decodeBytes(word, old.name));
    said.unshift(tables.notUtf8(title, words));
  }
  if (loose.length > 0) {
    const shown = loose
      .slice(0, MAX_ROWS)
      .map(({ line, cells }) => ({ line, text: cells.map(cut).join(' | ') }));
    said.push(tables.quotesAsText(shown, loose.length - shown.length));
  }
  return said;
}

function cut(cell: string): string {
  const characters = [
    ...cell
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 4 * MAX_CELL),
  ];
  const shown = characters.slice(0, MAX_CELL).join('');
  return characters.length > MAX_CELL ? `${shown}…` : shown;
}
