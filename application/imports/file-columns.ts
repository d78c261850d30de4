/**
 * What the columns of a file are: guessed from the headings and the values, or as they were chosen for the last file
 * with the same headings. They are stored with the import.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  decodeBytes,
  decodeRow,
  describeReading,
  type Encoding,
  type Table,
  type TableRow,
} from 'seeother/tables';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import {
  type ColumnFacts,
  type Columns,
  type ColumnUse,
  createColumnFacts,
  guessColumns,
} from './columns.ts';
import { type FieldMaker, guessFields } from './guess-fields.ts';
import { fieldIdOf, newKindOf } from './headings.ts';
import { createEndFinder } from './not-a-thing.ts';
import { findProgram } from './programs.ts';
import { bareText } from './same-text.ts';

/** The heading of a column that a file with refused rows has besides those of the refused file. */
export const REASON = 'Why it was refused';

export interface FileColumns extends Columns {
  /** How the file was read. */
  readonly notices: readonly string[];
  /** Whether nobody has to look at the uses. */
  readonly areSure: boolean;
  /** With the heading in bytes; null for a file in UTF-8. */
  readonly old: (NonNullable<Table['old']> & { readonly header: readonly string[] }) | null;
}

/** What people choose on the page of the columns. */
export interface ColumnChoices extends Pick<Columns, 'uses' | 'places' | 'currency'> {
  /** Null for a file in UTF-8. */
  readonly encoding: Encoding | null;
}

export function choicesOf({ uses, places, currency, old }: FileColumns): ColumnChoices {
  return { uses, places, currency, encoding: old?.name ?? null };
}

export interface ReaderOptions extends FieldMaker {
  /** The choices for the last file with these headings, if there was one. */
  readonly known: ColumnChoices | null;
  /** Of amounts that have none. */
  readonly currency: string;
  /** If people have chosen it for this file. */
  readonly encoding?: Encoding | null;
  /** Whether a zip with photos was chosen too. */
  readonly hasZip?: boolean;
}

/** Without a table, a zip names things that are here. */
export const NO_TABLE: FileColumns = {
  ...{ header: [], uses: [], facts: [], places: null, program: null, currency: 'EUR', rows: 0 },
  ...{ lines: null, notices: [], areSure: true, old: null },
};

/** Looks at the rows while they are read. */
export function createColumnReader(
  { header: raw, notices, old: found }: Pick<Table, 'header' | 'notices' | 'old'>,
  { known, currency: usual, encoding = null, hasZip = false, ...fields }: ReaderOptions,
) {
  const chosen = encoding ?? known?.encoding ?? null;
  const old =
    found === null
      ? null
      : {
          ...{ ...found, header: raw, name: chosen ?? found.name },
          isSure: found.isSure || encoding !== null || known !== null,
        };
  const name = old?.name ?? null;
  const header = raw.map((heading) => bareText(decodeBytes(heading, name)));
  const { add, facts: toFacts, rows: countRows } = createColumnFacts(header);
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
      const program = findProgram(header);
      const rows = countRows();
      const base = { header, facts, rows, program: program?.name ?? null };
      const photosAt = hasZip
        ? header.findIndex((one, at) => namesPhotos(one) && facts[at]?.values?.kind !== 'link')
        : -1;
      const guesses = guessFields(base, guessColumns(header, facts, program), fields).map(
        (guess, at) => {
          if (at === photosAt) return { use: 'photos' as const, isSure: true };
          return header[at] === REASON ? { use: 'ignore' as const, isSure: true } : guess;
        },
      );
      const guessed = guesses.map(({ use }) => use);
      const found = facts[guessed.indexOf('location')]?.placeMark ?? null;
      const mark = program === null ? found : program.places;
      const {
        uses: chosen,
        places,
        currency = usual,
      } = known ?? { uses: guessed, places: mark, currency: usual };
      const uses = chosen.map((use, at) => {
        if (use === 'photos' ? hasZip : isPossible(use, facts[at], fields)) return use;
        if (use === 'kinds' && fields.definitions.kinds.length > 0) return 'kind';
        return guessed[at] ?? use;
      });
      const areGuessesSure =
        (mark === null || program !== null) &&
        guessed.includes('name') &&
        guesses.every(({ isSure }) => isSure);
      // Somebody may have chosen the uses for a file without a zip.
      const isKnown = known !== null && (photosAt === -1 || uses.includes('photos'));
      return {
        ...{ ...base, uses, places, currency, lines, old },
        notices: [
          ...describeReading({ old, notices }, loose),
          ...(lines === null ? ['The file has no rows below its headings'] : []),
          ...guesses.flatMap(({ notice = [] }) => notice),
        ],
        areSure:
          old?.isSure !== false &&
          loose.length === 0 &&
          (isKnown || (known === null && areGuessesSure)),
      };
    },
  };
}

/** Whether the column has the names of files, if there is a zip with files. */
function namesPhotos(heading: string): boolean {
  return /^(?:hb\.photos|(?:photo|image|picture|foto|bild)(?:s|er|os)?(?: ?(?:files?|names?|datei(?:en)?))?)$/i.test(
    heading.trim(),
  );
}

/** Whether the field is still there, or what is new may be made. */
function isPossible(
  use: ColumnUse,
  facts: ColumnFacts | undefined,
  { definitions, canMake }: FieldMaker,
): boolean {
  const values = facts?.values ?? null;
  if (use === 'kinds') return canMake && (values === null || values.texts.length > 0);
  const id = fieldIdOf(use);
  if (id !== null) return definitions.fields.some((field) => field.id === id);
  return canMake || newKindOf(use) === null;
}

/** The choices of whoever in the team has chosen last; null for headings that nobody has seen. */
export async function findChoices(
  read: Kysely<Schema>,
  header: readonly string[],
): Promise<ColumnChoices | null> {
  const row = await read
    .selectFrom('import_columns')
    .select('uses')
    .where('headings', '=', hashHeadings(header))
    .executeTakeFirst();
  if (row === undefined) return null;
  const choices: ColumnChoices = JSON.parse(row.uses);
  const own = [...choices.uses];
  const uses = header.map((one) => (one === REASON ? 'ignore' : (own.shift() ?? 'ignore')));
  return { ...choices, uses };
}

/** For the next file with the same headings, and for the left-out rows of this one, which are a file in UTF-8. */
export async function rememberChoices(
  transaction: KyselyTransaction,
  columns: FileColumns,
): Promise<void> {
  const { header, uses, old } = columns;
  const own = uses.filter((_, at) => header[at] !== REASON);
  const choices: ColumnChoices = { ...choicesOf(columns), uses: own };
  const hashes = new Set([header, old?.header ?? header].map(hashHeadings));
  const rows = [...hashes].map((headings) => ({ headings, uses: JSON.stringify(choices) }));
  await transaction
    .insertInto('import_columns')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('headings').doUpdateSet({ uses: JSON.stringify(choices) }),
    )
    .execute();
}

function hashHeadings(header: readonly string[]): string {
  const own = header.filter((heading) => heading !== REASON);
  const normalized = own.map((one) => one.trim().toLowerCase());
  return createHash('sha256').update(JSON.stringify(normalized)).digest('hex');
}
