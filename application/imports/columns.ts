/**
 * Guesses what each column of a file is, from its heading and from all its cells. A guess that is not sure is one to
 * ask people about. Nothing that is not known is dropped: it goes to the description.
 */
import { isOwnExport } from '../items/export/csv.ts';
import { type ColumnUse, type Meaning, readHeading } from './headings.ts';
import type { Ends } from './not-a-thing.ts';
import { type Program, programOf } from './programs.ts';
import { findPlaceMark, type PlaceMark } from './read-location.ts';
import { type DecimalMark, findDecimalMark } from './read-number.ts';
import { tidyText, unescapeCell } from './same-text.ts';
import { createValueGuesser, type ValueGuess } from './value-kinds.ts';

export type { ColumnUse } from './headings.ts';

/** What all cells of a column tell. Can be stored as JSON. */
export interface ColumnFacts {
  /** The first different texts, at most three; none if the column is empty. */
  readonly samples: readonly string[];
  /** The mark before decimals, if a number shows it: `,` in “3,00”. Null also if numbers disagree. */
  readonly decimalMark: DecimalMark | null;
  /** Whether each row has a text. */
  readonly isFull: boolean;
  /** What most texts with such a mark would separate places by. */
  readonly placeMark: PlaceMark | null;
  /** The first text with such a mark, or empty. */
  readonly placeSample: string;
  /** What kind of field fits; null for a column without values. An older release has stored none. */
  readonly values: ValueGuess | null;
}

/** What the cells of all rows mean. */
export interface Columns {
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  readonly facts: readonly ColumnFacts[];
  /** What separates places inside places; null for commas alone. */
  readonly places: PlaceMark | null;
  /** The name of the program whose export it is; null if nobody knows. */
  readonly program: string | null;
  /** Of amounts that have none, in three letters. */
  readonly currency: string;
  /** How many rows the file has. */
  readonly rows: number;
  /** Of the first and the last row; null for a file without rows. */
  readonly lines: Ends | null;
}

/** How a column without a heading is called. */
export function nameColumn(heading: string, index: number): string {
  return heading === '' ? `Column ${index + 1}` : heading;
}

/** What a column is called in a description: by the program that has written it. */
export function labelColumn({ header, program }: Pick<Columns, 'header' | 'program'>, at: number) {
  const heading = header[at] ?? '';
  const use = programOf(program)?.columnOf(heading)?.use;
  if (typeof use === 'object') return use.label;
  const own = /^HB\.(.)(.*)/.exec(heading);
  return own === null ? heading : `${own[1]?.toUpperCase()}${own[2]?.replaceAll('_', ' ')}`;
}

/** The column that names a thing without a name; -1 for none. */
export function findOtherName({ header, uses, facts, program }: Columns): number {
  const chosen = uses.indexOf('other name');
  const heading = programOf(program)?.otherName;
  const name = uses.indexOf('name');
  if (chosen !== -1 || heading === undefined || facts[name]?.isFull !== false) return chosen;
  const at = header.indexOf(heading);
  return at === name || uses[at] === 'ignore' ? -1 : at;
}

const MAX_SAMPLES = 3;
/** Characters of a sample. */
const MAX_SAMPLE = 60;

/** Collects the facts of all columns, row by row. */
export function createColumnFacts(header: readonly string[]) {
  const columns = header.map(() => ({
    guesser: createValueGuesser(),
    samples: new Set<string>(),
    marks: new Set<DecimalMark>(),
    places: new Map<PlaceMark, number>(),
    placeSample: '',
    filled: 0,
  }));
  let rows = 0;
  return {
    rows: (): number => rows,
    add(cells: readonly string[]): void {
      rows++;
      for (const [index, column] of columns.entries()) {
        const { samples, marks, places, guesser } = column;
        guesser.add(unescapeCell(cells[index] ?? ''));
        const text = tidyText(cells[index] ?? '');
        if (text === '') continue;
        column.filled++;
        if (samples.size < MAX_SAMPLES) samples.add(cutSample(text));
        const mark = findDecimalMark(text);
        if (mark !== null) marks.add(mark);
        const place = findPlaceMark(text);
        if (place === null) continue;
        places.set(place, (places.get(place) ?? 0) + 1);
        if (places.size === 1) column.placeSample ||= cutSample(text);
      }
    },
    facts(): readonly ColumnFacts[] {
      const proved = new Set(columns.flatMap(({ guesser }) => [...guesser.orders()]));
      const [order = null] = proved.size === 1 ? proved : [];
      return columns.map(({ samples, marks, places, placeSample, filled, guesser }, at) => {
        const [mark = null] = marks;
        const decimalMark = marks.size === 1 ? mark : null;
        const [[placeMark] = [null]] = [...places].sort((one, other) => other[1] - one[1]);
        return {
          samples: [...samples],
          decimalMark,
          isFull: filled === rows,
          placeMark,
          placeSample,
          values: guesser.guess(header[at] ?? '', order),
        };
      });
    },
  };
}

function cutSample(text: string): string {
  return text.slice(0, MAX_SAMPLE).toWellFormed();
}

export interface ColumnGuess {
  readonly use: ColumnUse;
  readonly isSure: boolean;
  /** What people should know of it, without a full stop. */
  readonly notice?: string;
}

/** Every use but `in description` and `ignore` has one column at most. */
export function guessColumns(
  header: readonly string[],
  facts: readonly ColumnFacts[],
  program: Program | null = null,
): readonly ColumnGuess[] {
  const columns = header.map((heading, index) => ({
    meaning: meaningOf(heading, program),
    isEmpty: facts[index]?.samples.length === 0,
    isFull: facts[index]?.isFull ?? true,
  }));
  const best = new Map<ColumnUse, (typeof columns)[number]>();
  for (const column of columns) {
    const { meaning } = column;
    if (meaning === null) continue;
    const other = best.get(meaning.use);
    if (other === undefined || isBetter(column, other)) best.set(meaning.use, column);
  }
  // A program that names things by their model has both columns, and a name for some things.
  const name = best.get('name');
  const others = columns.filter((one) => one !== name && one.meaning?.use === 'name');
  const other = name?.isFull === false ? others.find(({ isEmpty }) => !isEmpty) : undefined;
  const guesses = columns.map((column, index): ColumnGuess => {
    const { meaning, isEmpty } = column;
    if (column === other) return { use: 'other name', isSure: meaning?.isSure ?? false };
    if (meaning?.use === 'ignore') return { use: 'ignore', isSure: isEmpty || program !== null };
    // “Due date” is that of a loan beside a borrower, and of anything else without.
    const isLoose = meaning?.use.startsWith('lent') === true && !best.has('lent to');
    const isForeign =
      meaning?.use === 'references' || meaning?.use === 'added' ? !isOwnExport(header) : false;
    if (meaning !== null && !isLoose && !isForeign && best.get(meaning.use) === columns[index])
      return { use: meaning.use, isSure: meaning.isSure };
    if (isEmpty) return { use: 'ignore', isSure: true };
    return { use: 'in description', isSure: program !== null && meaning !== null };
  });
  if (guesses.some(({ use }) => use === 'name')) return guesses;
  // A table of things has their names, mostly at the left.
  const first = guesses.findIndex(
    ({ use }, index) => use === 'in description' && hasWords(facts[index]),
  );
  return guesses.map((guess, index) => (index === first ? { use: 'name', isSure: false } : guess));
}

/** Of a known program, all columns are known. */
function meaningOf(heading: string, program: Program | null): Meaning | null {
  if (program === null) return readHeading(heading);
  const column = program.columnOf(heading);
  if (column === null) return null;
  const { use, rank } = column;
  return { use: typeof use === 'object' ? 'in description' : use, rank, isSure: true };
}

interface Column {
  readonly meaning: Meaning | null;
  readonly isEmpty: boolean;
  readonly isFull: boolean;
}

function isBetter(one: Column, other: Column): boolean {
  if (one.isEmpty !== other.isEmpty) return other.isEmpty;
  // What tells things apart, each of them has.
  if (one.meaning?.use === 'reference' && one.isFull !== other.isFull) return one.isFull;
  return (one.meaning?.rank ?? 0) < (other.meaning?.rank ?? 0);
}

function hasWords(facts: ColumnFacts | undefined): boolean {
  return facts?.samples.some((text) => /\p{L}{2}/u.test(text)) ?? false;
}
