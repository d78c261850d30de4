/**
 * What the columns of a file are: guessed from the headings and the values, or as they were chosen for the last file
 * with the same headings. They are stored with the import.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Writing } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { type ColumnUse, createColumnFacts, guessColumns } from './columns.ts';
import type { TableRow } from './raw-table.ts';
import { type Columns, cutCell } from './read-row.ts';

/** The heading of a column that a file with refused rows has besides those of the refused file. */
export const REASON = 'Why it was refused';

export interface FileColumns extends Columns {
  /** How the file was read. */
  readonly notices: readonly string[];
  /** Whether nobody has to look at the uses. */
  readonly areSure: boolean;
}

/** What people choose on the page of the columns. */
export type ColumnChoices = Pick<Columns, 'uses' | 'places'>;

/** Looks at the rows while they are read. */
export function createColumnReader(header: readonly string[], notices: readonly string[]) {
  const { add, facts: toFacts } = createColumnFacts(header.length);
  const loose: TableRow[] = [];
  let lines: Columns['lines'] = null;
  return {
    add(row: TableRow): void {
      if (row.isLoose) loose.push(row);
      lines = { first: lines?.first ?? row.line, last: row.line };
      add(row.cells);
    },
    async toColumns(read: Kysely<Schema>): Promise<FileColumns> {
      const facts = toFacts();
      const known = await findChoices(read, header);
      const guesses = guessColumns(header, facts).map((guess, at) =>
        header[at] === REASON ? { use: 'ignore' as const, isSure: true } : guess,
      );
      const uses = known?.uses ?? guesses.map(({ use }) => use);
      const mark = facts[uses.indexOf('location')]?.placeMark ?? null;
      const places = known?.places === undefined ? mark : known.places;
      const isGuessSure = guesses.every(({ isSure }) => isSure) && uses.includes('name');
      return {
        ...{ header, uses, facts, places, lines },
        notices: [...notices, ...describeLoose(loose)],
        areSure:
          loose.length === 0 &&
          (known !== null || isGuessSure) &&
          (mark === null || known?.places !== undefined),
      };
    },
  };
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

/** An older release knew the uses alone. */
async function findChoices(
  read: Kysely<Schema>,
  header: readonly string[],
): Promise<(Pick<ColumnChoices, 'uses'> & Partial<ColumnChoices>) | null> {
  const [hash, older] = [hashHeadings(header, 2), hashHeadings(header)];
  const rows = await read
    .selectFrom('import_columns')
    .select(['headings', 'uses'])
    .where('headings', 'in', [hash, older])
    .execute();
  const row = rows.find(({ headings }) => headings === hash) ?? rows[0];
  if (row === undefined) return null;
  const stored = JSON.parse(row.uses) as ColumnChoices | readonly ColumnUse[];
  const choices = Array.isArray(stored) ? { uses: stored } : (stored as ColumnChoices);
  const own = [...choices.uses];
  const uses = header.map((heading) => (heading === REASON ? 'ignore' : (own.shift() ?? 'ignore')));
  return { ...choices, uses };
}

/** For the next file with the same headings, of anybody in the team, and for its refused rows. */
export async function rememberChoices(
  transaction: Writing,
  { header, uses, places }: Pick<FileColumns, 'header'> & ColumnChoices,
): Promise<void> {
  const own = uses.filter((_, at) => header[at] !== REASON);
  const choices: ColumnChoices = { uses: own, places };
  const row = { headings: hashHeadings(header, 2), uses: JSON.stringify(choices) };
  await transaction
    .insertInto('import_columns')
    .values(row)
    .onConflict((conflict) => conflict.column('headings').doUpdateSet({ uses: row.uses }))
    .execute();
}

/** With a version, an older release does not find the choices: it would take them for uses. */
function hashHeadings(header: readonly string[], version?: number): string {
  const own = header.filter((heading) => heading !== REASON);
  const normalized = own.map((one) => one.trim().toLowerCase());
  const text = JSON.stringify(version === undefined ? normalized : [version, normalized]);
  return createHash('sha256').update(text).digest('hex');
}
