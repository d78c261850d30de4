/**
 * What the columns of a file are: guessed from the headings and the values, or as they were chosen for the last file
 * with the same headings. They are stored with the import.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { createColumnFacts, guessColumns } from './columns.ts';
import type { OldEncoding } from './encoding.ts';
import { decodeBytes, ENCODINGS, type Encoding, titleOf } from './encodings.ts';
import { createEndFinder } from './not-a-thing.ts';
import { decodeRow, type TableRow } from './raw-table.ts';
import { type Columns, cutCell } from './read-row.ts';
import type { Table } from './read-table.ts';

/** The heading of a column that a file with refused rows has besides those of the refused file. */
export const REASON = 'Why it was refused';

export interface FileColumns extends Columns {
  /** How the file was read. */
  readonly notices: readonly string[];
  /** Whether nobody has to look at the uses. */
  readonly areSure: boolean;
  /** With the heading in bytes; null for a file in UTF-8. */
  readonly old: (OldEncoding & { readonly header: readonly string[] }) | null;
}

/** What people choose on the page of the columns. */
export interface ColumnChoices extends Pick<Columns, 'uses' | 'places'> {
  /** Null for a file in UTF-8. */
  readonly encoding: Encoding | null;
}

export function choicesOf({ uses, places, old }: FileColumns): ColumnChoices {
  return { uses, places, encoding: old?.name ?? null };
}

/** Looks at the rows while they are read. With `encoding`, people have chosen it. */
export async function createColumnReader(
  read: Kysely<Schema>,
  { header: raw, notices, old: found }: Pick<Table, 'header' | 'notices' | 'old'>,
  encoding?: Encoding,
) {
  const known = await findChoices(read, raw, found);
  const name = encoding ?? known?.encoding ?? found?.name ?? null;
  const isSure =
    name === null || encoding !== undefined || known !== null || found?.isSure === true;
  const old = found === null || name === null ? null : { ...found, name, isSure, header: raw };
  const { cells: header } = decodeRow({ line: 0, cells: raw }, name);
  const { add, facts: toFacts } = createColumnFacts(header.length);
  const loose: TableRow[] = [];
  const finder = createEndFinder();
  return {
    add(row: TableRow): void {
      const { cells } = decodeRow(row, name);
      if (row.isLoose) loose.push({ ...row, cells });
      finder.add(cells, row.line);
      add(cells);
    },
    toColumns(): FileColumns {
      const facts = toFacts();
      const lines = finder.ends();
      const guesses = guessColumns(header, facts).map((guess, at) =>
        header[at] === REASON ? { use: 'ignore' as const, isSure: true } : guess,
      );
      const uses = known?.uses ?? guesses.map(({ use }) => use);
      const mark = facts[uses.indexOf('location')]?.placeMark ?? null;
      const places = known?.places === undefined ? mark : known.places;
      const isGuessSure = guesses.every((guess) => guess.isSure) && uses.includes('name');
      return {
        ...{ header, uses, facts, places, lines, old },
        notices: [...describeEncoding(old), ...notices, ...describeLoose(loose)].concat(
          lines === null ? ['The file has no rows below its headings'] : [],
        ),
        areSure:
          isSure &&
          loose.length === 0 &&
          (known !== null || isGuessSure) &&
          (mark === null || known?.places !== undefined),
      };
    },
  };
}

/** Sentences without a full stop. */
export function describeEncoding(old: OldEncoding | null): readonly string[] {
  if (old === null) return [];
  const words = old.words.map((word) => `“${decodeBytes(word, old.name)}”`).join(', ');
  return [`The file is not in UTF-8. It was read as ${titleOf(old.name)}: ${words}`];
}

/** Rows in a notice. */
const MAX_SHOWN = 5;

function describeLoose(rows: readonly TableRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_SHOWN).map(({ line, cells }) => {
    return `line ${line} (${cells.map(cutCell).join(' | ')})`;
  });
  const rest = rows.length - shown.length;
  const more = rest === 0 ? '' : ` and ${rest} more`;
  return [`The quotes are wrong and were read as text on ${shown.join(', ')}${more}`];
}

/** In an old encoding, the headings are those that were read with the encoding that was chosen for them. */
async function findChoices(
  read: Kysely<Schema>,
  raw: readonly string[],
  old: OldEncoding | null,
): Promise<(Pick<ColumnChoices, 'uses'> & Partial<ColumnChoices>) | null> {
  const names = old === null ? [null] : [old.name, ...ENCODINGS.map(({ value }) => value)];
  const candidates = names.map((name) => {
    const header = decodeRow({ line: 0, cells: raw }, name).cells;
    return { name, header, hash: hashHeadings(header) };
  });
  const rows = await read
    .selectFrom('import_columns')
    .select(['headings', 'uses'])
    .where('headings', 'in', [...new Set(candidates.map(({ hash }) => hash))])
    .execute();
  const stored = new Map(rows.map((row) => [row.headings, JSON.parse(row.uses)]));
  const toChoices = (choices: ColumnChoices, header: readonly string[]) => {
    const own = [...choices.uses];
    const uses = header.map((one) => (one === REASON ? 'ignore' : (own.shift() ?? 'ignore')));
    return { ...choices, uses };
  };
  for (const { name, hash, header } of candidates) {
    const choices = stored.get(hash) as ColumnChoices | undefined;
    // Headings in ASCII have the same hash in all encodings, and in UTF-8.
    if (choices !== undefined && (name === null || choices.encoding === name))
      return toChoices(choices, header);
  }
  const [first] = candidates;
  if (first === undefined) return null;
  const { encoding: _, ...choices } = stored.get(first.hash) ?? {};
  return 'uses' in choices ? toChoices(choices, first.header) : null;
}

/** For the next file with the same headings, of anybody in the team, and for its refused rows. */
export async function rememberChoices(
  transaction: KyselyTransaction,
  columns: FileColumns,
): Promise<void> {
  const { header, uses } = columns;
  const own = uses.filter((_, at) => header[at] !== REASON);
  const choices: ColumnChoices = { ...choicesOf(columns), uses: own };
  const row = { headings: hashHeadings(header), uses: JSON.stringify(choices) };
  await transaction
    .insertInto('import_columns')
    .values(row)
    .onConflict((conflict) => conflict.column('headings').doUpdateSet({ uses: row.uses }))
    .execute();
}

function hashHeadings(header: readonly string[]): string {
  const own = header.filter((heading) => heading !== REASON);
  const normalized = own.map((one) => one.trim().toLowerCase());
  return createHash('sha256').update(JSON.stringify(normalized)).digest('hex');
}
