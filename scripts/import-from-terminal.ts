/**
 * Imports a file from the terminal, as the site does: its columns, a plan, then steps that each write some rows once. A
 * file that the same person began to import goes on where it was stopped, here or in a running application.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeRow } from 'seeother/tables';
import type { Database } from '../application/database/kysely.ts';
import { lockRows } from '../application/database/locks.ts';
import { describeNote } from '../application/imports/cell-note.ts';
import type { ColumnUse } from '../application/imports/columns.ts';
import {
  createColumnReader,
  type FileColumns,
  findChoices,
} from '../application/imports/file-columns.ts';
import type { FieldMaker } from '../application/imports/guess-fields.ts';
import { checkUses } from '../application/imports/import-forms.ts';
import { type Choices, createImports } from '../application/imports/import-model.ts';
import { openFile } from '../application/imports/open-file.ts';
import {
  type Counts,
  createSummary,
  type LeftOut,
  type Preview,
} from '../application/imports/plan-summary.ts';
import { planTable } from '../application/imports/plan-table.ts';
import { createItems } from '../application/items/item.ts';
import { StartError } from '../application/settings/start-error.ts';
import { describeProgress, endProgress, showProgress } from './terminal-progress.ts';

export interface TerminalImport {
  /** Without an author it only plans, and writes nothing. */
  readonly author: number | null;
  /** What each column is, in the order of the file; null to guess. */
  readonly uses: readonly ColumnUse[] | null;
  /** What to do with rows of items that exist, and with those of items that have another name. */
  readonly choices: Choices;
}

export interface Imported {
  readonly columns: FileColumns | null;
  readonly counts: Counts;
  readonly refused: readonly LeftOut[];
  readonly lent: Preview['lent'];
  /** Why it was stopped, or empty. */
  readonly problem: string;
}

export async function importFromTerminal(
  database: Database,
  file: string,
  options: TerminalImport,
): Promise<Imported> {
  try {
    const { author } = options;
    return author === null
      ? await planOnly(database, file, options)
      : await run(database, file, author, options);
  } finally {
    endProgress();
  }
}

/** The refused rows that are named one by one. */
const MAX_NAMED = 20;

async function planOnly(
  database: Database,
  file: string,
  options: TerminalImport,
): Promise<Imported> {
  const { rows: raw, ...table } = await openFile(toSource(file, ''));
  const known = await findChoices(database.read, table.header);
  const definitions = await createItems(database).definitions.read();
  const maker = { definitions, canMake: false };
  const reader = createColumnReader(table, { ...maker, known, currency: 'EUR' });
  for await (const row of raw) reader.add(row);
  const guessed = reader.toColumns();
  async function* rows() {
    for await (const row of raw) yield decodeRow(row, guessed.old?.name ?? null);
  }
  const columns = { ...guessed, uses: chooseUses(guessed, options, { ...maker, canMake: true }) };
  const { counts, add, toPreview } = createSummary();
  const refused: LeftOut[] = [];
  for await (const piece of planTable(database.read, { columns, definitions, rows })) {
    add(piece);
    for (const row of piece.rows) {
      if (row.kind !== 'refuse' || refused.length >= MAX_NAMED) continue;
      const { line, name, problems } = row;
      refused.push({ line, name, problem: problems.map(describeNote).join('; ') });
    }
    showRead(counts);
  }
  return { columns, counts, refused, lent: toPreview().lent, problem: '' };
}

function chooseUses(
  columns: FileColumns,
  { uses }: TerminalImport,
  maker: FieldMaker,
): readonly ColumnUse[] {
  const { header } = columns;
  if (uses !== null && uses.length !== header.length)
    throw new StartError(
      `Cannot import: --columns names ${uses.length} columns, and the file has ${header.length}: ${header.join(', ')}.`,
    );
  const chosen = uses ?? columns.uses;
  const [error] = checkUses({ ...columns, uses: chosen }, maker);
  if (error === undefined) return chosen;
  throw new StartError(`Cannot import: ${error.message}. Say what the columns are with --columns.`);
}

async function run(
  database: Database,
  file: string,
  author: number,
  options: TerminalImport,
): Promise<Imported> {
  const imports = createImports(database, createItems(database));
  const sha256 = await hashFile(file);
  const begun = await imports.findRunning(sha256, author);
  const id = begun ?? (await plan());
  const holder = randomUUID();
  const find = async () => {
    const found = await imports.find(id, author);
    if (found === null) throw new Error(`Cannot find the import ${id} any more.`);
    return found;
  };
  for (let result = 'more'; result !== 'over'; ) {
    result = await imports.step(id, holder);
    const { rows, done } = await find();
    showProgress(describeProgress(done.rows, rows));
    // The application, or this command in another terminal, is importing it.
    if (result === 'busy') await sleep(1_000);
  }
  const { columns, planned, preview, done, problem } = await find();
  const { created: create, changed: change, left, rows } = done;
  const counts = {
    ...{ create, change, same: planned.same, refuse: planned.refuse + left },
    ...{ here: rows - create - change - left, asked: 0, doubled: 0 },
  };
  const refused: LeftOut[] = [];
  for await (const { line, name, problem: why, isChoice } of imports.readLeftOut(id)) {
    if (isChoice) continue;
    refused.push({ line, name, problem: why });
    if (refused.length >= MAX_NAMED) break;
  }
  return { columns, counts, refused, lent: preview.lent, problem };

  async function plan(): Promise<number> {
    const source = toSource(file, sha256);
    const read = await imports.read(source, author, {
      // New fields are those that --columns names.
      makesFields: false,
      chooseUses: (columns, maker) => chooseUses(columns, options, maker),
      onPiece: showRead,
    });
    if ((read.plan?.counts.asked ?? 0) > 0 && options.choices.asked === null) {
      await imports.remove(read.id);
      throw new StartError(UNANSWERED);
    }
    const winner = await database.write(async (transaction) => {
      // Of two commands at once, the second one joins the first.
      await lockRows(transaction, 'accounts', [author]);
      const other = await imports.findRunning(sha256, author, transaction);
      if (other !== null) return other;
      await imports.publish(transaction, read, author);
      const hash = read.plan?.hash ?? '';
      await imports.confirm(transaction, read.id, author, hash, options.choices);
      return read.id;
    });
    if (winner !== read.id) await imports.remove(read.id);
    return winner;
  }
}

const UNANSWERED =
  'Cannot import: some rows have the reference or the number of an item with another name. Import without --as to see them, and say with --other-names what to do: "add" them as other things, "update" the items, or "leave" the rows out.';

function toSource(file: string, sha256: string) {
  return { name: basename(file), sha256, chunks: () => createReadStream(file) };
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

function showRead(counts: Counts): void {
  const read = Object.values(counts).reduce((sum, count) => sum + count, 0);
  showProgress(`${read} rows read`);
}
