/**
 * Imports in the database, shared by all instances. The rows of a file are stored, and what its columns are is guessed
 * or chosen. Then the rows get a plan, its author sees a preview and confirms it, and the import runs.
 */
import type { Kysely } from 'kysely';
import type { UploadedFile } from 'seeother/files';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { createBatch } from '../items/events/batches.ts';
import type { Items } from '../items/item.ts';
import type { ColumnUse } from './columns.ts';
import type { Encoding } from './encodings.ts';
import {
  type ColumnChoices,
  createColumnReader,
  type FileColumns,
  findChoices,
  rememberChoices,
} from './file-columns.ts';
import { readFileRows, storeFileRows } from './file-rows.ts';
import {
  expiredAt,
  type Import,
  type ImportWithRows,
  selectImports,
  toImport,
  toImportWithRows,
} from './import-row.ts';
import {
  type Choice,
  createImportStep,
  failImport,
  heldRange,
  type ImportStep,
  leftIn,
} from './import-step.ts';
import { positionsOf } from './plan-positions.ts';
import type { Counts, LeftOut } from './plan-summary.ts';
import type { FileRow } from './raw-table.ts';
import { openTable } from './read-table.ts';
import { publishPlan, type StoredPlan, storePlan } from './store-plan.ts';

/** Previews per account; a further one replaces the oldest. */
const MAX_PREVIEWS = 3;

/** `unanswered`: there are rows to ask about, and nothing was chosen for them. */
export type Confirmed =
  | 'confirmed'
  | 'confirmed before'
  | 'changed'
  | 'expired'
  | 'missing'
  | 'unanswered';

/** What to do with rows of items that exist, and with those of items that have another name. */
export interface Choices {
  readonly here: Choice;
  /** Null if nobody has said it. */
  readonly asked: Choice | null;
}

/** Rows of items that exist are left out, unless somebody chooses otherwise. */
const UNASKED: Choices = { here: 'leave', asked: null };

export type ImportFile = Pick<UploadedFile, 'name' | 'sha256' | 'chunks'>;

/** A file whose rows are stored. Its plan is null if somebody has to say what its columns are. */
export interface ReadFile {
  readonly id: number;
  readonly columns: FileColumns;
  readonly plan: StoredPlan | null;
}

export interface Imports {
  /**
   * Stores the rows of a file, and their plan if it is sure what the columns are. Invisible until `publish`. With
   * `chooseUses`, it is always sure. Rejects with an `ImportRefused`.
   */
  readonly read: (
    file: ImportFile,
    author: number,
    options?: {
      readonly chooseUses?: (columns: FileColumns) => readonly ColumnUse[];
      readonly onPiece?: (counts: Counts) => void;
    },
  ) => Promise<ReadFile>;
  /** Shows the import to its author, and deletes the oldest of more than three that have not begun. */
  readonly publish: (
    transaction: KyselyTransaction,
    file: ReadFile,
    author: number,
  ) => Promise<void>;
  /** Reads the columns of the file in another encoding. */
  readonly readColumnsAs: (
    found: ImportWithRows,
    encoding: Encoding,
  ) => Promise<FileColumns | null>;
  /** Shows the page of the columns again. Resolves to false if the import runs. */
  readonly publishColumns: (
    transaction: KyselyTransaction,
    id: number,
    columns: FileColumns,
  ) => Promise<boolean>;
  /** Plans the rows of a file again, with other columns. */
  readonly planAgain: (
    found: ImportWithRows,
    choices: Omit<ColumnChoices, 'encoding'>,
  ) => Promise<StoredPlan>;
  /** Shows the new plan, and remembers its columns. Resolves to false if the import runs, or has a later plan. */
  readonly publishAgain: (transaction: KyselyTransaction, plan: StoredPlan) => Promise<boolean>;
  /** Null also for the import of another account. */
  readonly find: (
    id: number,
    author: number,
    source?: Kysely<Schema>,
  ) => Promise<ImportWithRows | null>;
  /** Newest first. */
  readonly list: (author: number) => Promise<readonly Import[]>;
  /** `planHash` is the hash of the plan that the preview showed. */
  readonly confirm: (
    transaction: KyselyTransaction,
    id: number,
    author: number,
    planHash: string,
    choices?: Choices,
  ) => Promise<Confirmed>;
  /** What was written stays. Resolves to whether the import was planned or running. */
  readonly stop: (transaction: KyselyTransaction, id: number, author: number) => Promise<boolean>;
  /** The newest import of the same file that runs. */
  readonly findRunning: (
    sha256: string,
    author: number,
    source?: Kysely<Schema>,
  ) => Promise<Import | null>;
  /** Who has imported the same file last, and when; null if nobody has. */
  readonly findSameFile: (sha256: string) => Promise<ImportedFile | null>;
  /** The rows that are left out, or were, with why, in the order of the file. */
  readonly readLeftOut: (id: number) => AsyncIterable<LeftOutRow>;
  /** The id of a confirmed import that no process runs, or null. */
  readonly findWaiting: () => Promise<number | null>;
  readonly step: ImportStep;
  /** Ends the lease, so that another process can continue at once. */
  readonly release: (holder: string) => Promise<void>;
  /** Stops the import after an error that every further try would repeat. */
  readonly fail: (id: number, problem: string) => Promise<void>;
  readonly remove: (id: number) => Promise<void>;
}

export interface ImportedFile {
  readonly batch: number;
  readonly at: Date;
  readonly account: number | null;
}

/** With the cells of the file. */
export type LeftOutRow = FileRow & LeftOut;

export function createImports(database: Database, items: Pick<Items, 'create'>): Imports {
  const { read, write } = database;
  const remove = (id: number) =>
    write(async (transaction) => {
      await transaction.deleteFrom('imports').where('id', '=', id).execute();
    });
  return {
    async read(file, author, { chooseUses, onPiece = () => {} } = {}) {
      const { name, sha256 } = file;
      const chunks = () => file.chunks();
      const { rows, ...table } = await openTable({ name, chunks });
      const id = await write((transaction) => insertImport(transaction, { name, sha256 }, author));
      try {
        const known = await findChoices(read, table.header);
        const { add, toColumns } = createColumnReader(table, known);
        await storeFileRows(database, id, rows, add);
        const guessed = toColumns();
        const columns = { ...guessed, uses: chooseUses?.(guessed) ?? guessed.uses };
        const isSure = columns.areSure || chooseUses !== undefined;
        const plan = isSure ? await storePlan(database, id, sha256, columns, onPiece) : null;
        return { id, columns, plan };
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    async publish(transaction, { id, columns, plan }, author) {
      if (plan === null) await publishColumns(transaction, id, columns);
      else await publishPlan(transaction, plan);
      const waiting = await transaction
        .selectFrom('imports')
        .select('id')
        .where('account_id', '=', author)
        .where('state', 'in', ['columns', 'checked'])
        .orderBy('id', 'desc')
        .execute();
      const old = waiting.slice(MAX_PREVIEWS).map((one) => one.id);
      if (old.length > 0) await transaction.deleteFrom('imports').where('id', 'in', old).execute();
    },
    async readColumnsAs({ id, columns }, encoding) {
      const { old } = columns;
      if (old === null) return null;
      const { header } = old;
      const known = await findChoices(read, header);
      const { add, toColumns } = createColumnReader({ header, notices: [], old }, known, encoding);
      for await (const row of readFileRows(read, id, null)) add(row);
      return toColumns();
    },
    publishColumns,
    planAgain({ id, fileHash, columns }, choices) {
      return storePlan(database, id, fileHash, { ...columns, ...choices }, () => {});
    },
    async publishAgain(transaction, plan) {
      await rememberChoices(transaction, plan.columns);
      return publishPlan(transaction, plan);
    },
    async find(id, author, source = read) {
      const row = await selectImports(source, author).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toImportWithRows(row);
    },
    list: async (author) =>
      (await selectImports(read, author).orderBy('id', 'desc').execute()).map(toImport),
    async confirm(transaction, id, author, planHash, { here, asked } = UNASKED) {
      const now = new Date();
      const { numUpdatedRows } = await transaction
        .updateTable('imports')
        .set({ state: 'importing', here, updated_at: now.toISOString() })
        .set({ asked: asked ?? 'leave' })
        .where('id', '=', id)
        .where('account_id', '=', author)
        .where('state', '=', 'checked')
        .where('plan_hash', '=', planHash)
        .where('updated_at', '>', expiredAt(now))
        .where('rows_to_ask', asked === null ? '=' : '>=', 0)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        await beginBatch(transaction, id, author);
        return 'confirmed';
      }
      const row = await selectImports(transaction, author).where('id', '=', id).executeTakeFirst();
      if (row === undefined) return 'missing';
      if (row.plan_hash !== planHash) return 'changed';
      if (row.state !== 'checked') return 'confirmed before';
      return row.updated_at <= expiredAt(now) ? 'expired' : 'unanswered';
    },
    async stop(transaction, id, author) {
      const now = new Date().toISOString();
      const { numUpdatedRows } = await transaction
        .updateTable('imports')
        .set({ state: 'stopped', problem: 'You have stopped it.', updated_at: now })
        .where('id', '=', id)
        .where('account_id', '=', author)
        .where('state', 'in', ['columns', 'checked', 'importing'])
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async findRunning(sha256, author, source = read) {
      const row = await selectImports(source, author)
        .where('file_hash', '=', sha256)
        .where('state', '=', 'importing')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toImport(row);
    },
    async findSameFile(sha256) {
      const row = await read
        .selectFrom('imported_files')
        .innerJoin('batches', 'batches.id', 'batch')
        .select(['batch', 'at', 'account_id as account'])
        .where('hash', '=', sha256)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, at: new Date(row.at) };
    },
    readLeftOut: (id) => readLeftOut(read, id),
    async findWaiting() {
      const { first, last } = heldRange(new Date());
      const row = await read
        .selectFrom('imports')
        .select('id')
        .where('state', '=', 'importing')
        .where((row) =>
          row.or([
            row('held_until', 'is', null),
            row('held_until', '<=', first),
            row('held_until', '>', last),
          ]),
        )
        .orderBy('updated_at')
        .limit(1)
        .executeTakeFirst();
      return row?.id ?? null;
    },
    step: createImportStep(database, items),
    release: (holder) =>
      write(async (transaction) => {
        const free = { holder: null, held_until: null };
        await transaction.updateTable('imports').set(free).where('holder', '=', holder).execute();
      }),
    fail: (id, problem) => write((transaction) => failImport(transaction, id, problem)),
    remove,
  };
}

async function publishColumns(
  transaction: KyselyTransaction,
  id: number,
  columns: FileColumns,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('imports')
    .set({ state: 'columns', columns: JSON.stringify(columns) })
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'columns', 'checked'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function insertImport(
  transaction: KyselyTransaction,
  { name, sha256 }: Pick<ImportFile, 'name' | 'sha256'>,
  author: number,
): Promise<number> {
  const id = await nextNumber(transaction, 'imports');
  const now = new Date().toISOString();
  await transaction
    .insertInto('imports')
    .values({
      ...{ id, account_id: author, file_name: name, file_hash: sha256, plan_hash: '' },
      ...{ state: 'reading', problem: '' },
      ...{ created_at: now, updated_at: now, preview: '{}', refusals: '[]' },
    })
    .execute();
  return id;
}

async function beginBatch(
  transaction: KyselyTransaction,
  id: number,
  author: number,
): Promise<void> {
  const { file, hash } = await transaction
    .selectFrom('imports')
    .select(['file_name as file', 'file_hash as hash'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const batch = await createBatch(transaction, author, { kind: 'imported', file });
  await transaction.updateTable('imports').set({ batch }).where('id', '=', id).execute();
  await transaction
    .insertInto('imported_files')
    .values({ hash, batch })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ batch }))
    .execute();
}

/** Reads the rows of the file again, and beside them those that are left out, unless somebody chooses otherwise. */
async function* readLeftOut(read: Kysely<Schema>, id: number): AsyncGenerator<LeftOutRow> {
  const found = await read
    .selectFrom('imports')
    .select(['plan', 'state', 'columns'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return;
  const { old }: FileColumns = JSON.parse(found.columns);
  const left = new Map<number, LeftOut>();
  const refused = await read
    .selectFrom('import_refusals')
    .select('rows')
    .where('import_id', '=', id)
    .execute();
  for (const { rows } of refused)
    for (const row of JSON.parse(rows) as readonly LeftOut[]) left.set(row.line, row);
  const { first, last } = positionsOf(found.plan);
  const waiting = await read
    .selectFrom('import_pieces')
    .select('work')
    .where('import_id', '=', id)
    .where('position', '>=', first)
    .where('position', '<=', last)
    .execute();
  for (const { work } of waiting)
    for (const row of leftIn(work, found.state === 'stopped')) left.set(row.line, row);
  for await (const row of readFileRows(read, id, old?.name ?? null)) {
    const why = left.get(row.line);
    if (why !== undefined) yield { ...row, ...why };
  }
}
