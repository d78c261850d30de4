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

/** Looks at the rows while they are read. */
export function createColumnReader(header: readonly string[], notices: readonly string[]) {
  const { add, facts } = createColumnFacts(header.length);
  const loose: TableRow[] = [];
  return {
    add(row: TableRow): void {
      if (row.isLoose) loose.push(row);
      add(row.cells);
    },
    async toColumns(read: Kysely<Schema>): Promise<FileColumns> {
      const known = await findUses(read, header);
      const guesses = guessColumns(header, facts()).map((guess, at) =>
        header[at] === REASON ? { use: 'ignore' as const, isSure: true } : guess,
      );
      return {
        ...{ header, facts: facts() },
        notices: [...notices, ...describeLoose(loose)],
        uses: known ?? guesses.map(({ use }) => use),
        areSure:
          loose.length === 0 &&
          (known !== null ||
            (guesses.every(({ isSure }) => isSure) && guesses.some(({ use }) => use === 'name'))),
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

async function findUses(
  read: Kysely<Schema>,
  header: readonly string[],
): Promise<readonly ColumnUse[] | null> {
  const row = await read
    .selectFrom('import_columns')
    .select('uses')
    .where('headings', '=', hashHeadings(header))
    .executeTakeFirst();
  if (row === undefined) return null;
  const uses = JSON.parse(row.uses) as ColumnUse[];
  return header.map((heading) => (heading === REASON ? 'ignore' : (uses.shift() ?? 'ignore')));
}

/** For the next file with the same headings, of anybody in the team, and for its refused rows. */
export async function rememberUses(
  transaction: Writing,
  { header, uses }: Pick<FileColumns, 'header' | 'uses'>,
): Promise<void> {
  const own = uses.filter((_, at) => header[at] !== REASON);
  const row = { headings: hashHeadings(header), uses: JSON.stringify(own) };
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
