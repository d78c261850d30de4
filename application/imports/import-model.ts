/**
 * Imports in the database, shared by all instances. The rows of a file are stored, and what its columns are is guessed
 * or chosen. Then the rows get a plan, its author sees a preview and confirms it, and the import runs.
 */
import type { Kysely } from 'kysely';
import type { UploadedFile } from 'seeother/files';
import type { Encoding, TableRow } from 'seeother/tables';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { createBatch } from '../items/events/batches.ts';
import type { Items } from '../items/item.ts';
import { toRole } from '../settings/role.ts';
import { findZip, type PhotoParts } from './attach-photo.ts';
import type { ColumnUse } from './columns.ts';
import {
  type ColumnChoices,
  createColumnReader,
  type FileColumns,
  findChoices,
  NO_TABLE,
  rememberChoices,
} from './file-columns.ts';
import { readFileRows, storeFileRows } from './file-rows.ts';
import type { FieldMaker } from './guess-fields.ts';
import { expiredAt, type Import, selectImports, toImport } from './import-row.ts';
import { type Choice, createImportStep, failImport, heldRange, leftIn } from './import-step.ts';
import { openFile } from './open-file.ts';
import type { Counts, LeftOut } from './plan-summary.ts';
import { positionsOf, publishPlan, type StoredPlan, storePlan } from './store-plan.ts';
import { openPhotoZip, type PhotoZip } from './zip/open-photo-zip.ts';
import { ZipError } from './zip/read-zip.ts';

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

/** A file whose rows are stored. Its plan is null if somebody has to say what its columns are. */
export interface ReadFile {
  readonly id: number;
  readonly columns: FileColumns;
  readonly plan: StoredPlan | null;
  /** The zip that was sent along; kept when it is published. */
  readonly zip?: UploadedFile | null;
}

/** Who reads a file from elsewhere chooses the columns at once, and may show how far it is. */
interface ReadOptions {
  readonly chooseUses?: (columns: FileColumns, maker: FieldMaker) => readonly ColumnUse[];
  readonly onPiece?: (counts: Counts) => void;
  /** Of amounts that have none, in three letters. */
  readonly currency?: string;
  /** Whether unknown columns are proposed as new fields. */
  readonly makesFields?: boolean;
  /** With the photos of the things. */
  readonly zip?: UploadedFile | null;
}

export interface ImportedFile {
  readonly batch: number;
  readonly at: Date;
  readonly account: number | null;
}

export type Imports = ReturnType<typeof createImports>;

/** Without `photos`, no import has a zip. */
export function createImports(
  database: Database,
  items: Pick<Items, 'create' | 'definitions'>,
  photos: PhotoParts | null = null,
) {
  const { read, write } = database;
  const remove = (id: number) =>
    write(async (transaction) => {
      await transaction.deleteFrom('imports').where('id', '=', id).execute();
    });
  const { definitions } = items;
  /** `makes`: whether new fields are wanted. Only an administrator may make them. */
  async function makerOf(author: number, makes: boolean): Promise<FieldMaker> {
    const account = await read
      .selectFrom('accounts')
      .select('role')
      .where('id', '=', author)
      .executeTakeFirst();
    const canMake = makes && toRole(account?.role ?? '') === 'administrator';
    return { definitions: await definitions.read(), canMake };
  }
  /** Of an import that is published. */
  async function findPhotoZip(id: number): Promise<PhotoZip | null> {
    const source = photos === null ? null : await findZip(database, photos.files, id);
    return source === null ? null : openPhotoZip(source);
  }
  return {
    definitions,
    /**
     * Stores the rows of a file, and their plan if it is sure what the columns are. Invisible until `publish`. With
     * `chooseUses`, it is always sure. Without a file, the table in the zip counts, if it has one. Rejects with a
     * `TableError` or a `ZipError`.
     */
    async read(
      file: Pick<UploadedFile, 'name' | 'sha256' | 'chunks'> | null,
      author: number,
      {
        chooseUses,
        onPiece = () => {},
        currency = 'EUR',
        makesFields = true,
        zip = null,
      }: ReadOptions = {},
    ): Promise<ReadFile> {
      const opened = zip === null ? null : await openPhotoZip(zip);
      if (file !== null && opened?.hasNames === true)
        throw new ZipError(
          `${zip?.name} is an export of Homebox, which has its own table. Remove the file with the table, or choose another zip`,
        );
      const source = file ?? opened?.table ?? null;
      const { name, sha256 } = source ?? zip ?? { name: '', sha256: '' };
      const { rows, ...table } =
        source === null ? { ...NO_TABLE, rows: noRows() } : await openFile(source);
      const id = await write((transaction) => insertImport(transaction, { name, sha256 }, author));
      try {
        if (source === null) {
          const known = await definitions.read();
          const plan = await storePlan(database, id, sha256, NO_TABLE, known, onPiece, opened);
          return { id, columns: NO_TABLE, plan, zip };
        }
        const known = await findChoices(read, table.header);
        const maker = await makerOf(author, makesFields);
        const hasZip = zip !== null;
        const { add, toColumns } = createColumnReader(table, { ...maker, known, currency, hasZip });
        await storeFileRows(database, id, rows, add);
        const guessed = toColumns();
        const columns = {
          ...guessed,
          uses: chooseUses?.(guessed, await makerOf(author, true)) ?? guessed.uses,
        };
        const isSure = columns.areSure || chooseUses !== undefined;
        const plan = isSure
          ? await storePlan(database, id, sha256, columns, maker.definitions, onPiece, opened)
          : null;
        return { id, columns, plan, zip };
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    /** Shows the import to its author, and deletes the oldest of more than three that have not begun. */
    async publish(transaction: KyselyTransaction, file: ReadFile, author: number): Promise<void> {
      await publishFile(transaction, file);
      if (file.zip != null) {
        const zip = { file: await file.zip.keep(transaction), import_id: file.id };
        await transaction.insertInto('import_zips').values(zip).execute();
      }
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
    /** Reads the columns of the file in another encoding. */
    async readColumnsAs(
      { id, columns: { currency } }: Import,
      old: NonNullable<FileColumns['old']>,
      encoding: Encoding,
      author: number,
    ): Promise<ReadFile> {
      const { header } = old;
      const known = await findChoices(read, header);
      const hasZip = photos !== null && (await findZip(database, photos.files, id)) !== null;
      const options = { ...(await makerOf(author, true)), known, currency, encoding, hasZip };
      const { add, toColumns } = createColumnReader({ header, notices: [], old }, options);
      for await (const row of readFileRows(read, id, null)) add(row);
      return { id, columns: toColumns(), plan: null };
    },
    /** Plans the rows of a file again, with other columns. */
    async planAgain(
      { id, fileHash, columns: before }: Import,
      choices: Omit<ColumnChoices, 'encoding'>,
    ): Promise<ReadFile> {
      const known = await definitions.read();
      const zip = await findPhotoZip(id);
      // Without a zip, the names of its photos are kept like any other text.
      const uses = choices.uses.map((use) =>
        use === 'photos' && zip === null ? 'in description' : use,
      );
      const columns = { ...before, ...choices, uses };
      const plan = await storePlan(database, id, fileHash, columns, known, () => {}, zip);
      return { id, columns, plan };
    },
    /** Shows it as it was read or planned again. Resolves to false if the import runs, or has a later plan. */
    async publishAgain(transaction: KyselyTransaction, file: ReadFile): Promise<boolean> {
      if (file.plan !== null) await rememberChoices(transaction, file.columns);
      return publishFile(transaction, file);
    },
    /** Null also for the import of another account. */
    async find(id: number, author: number): Promise<Import | null> {
      const row = await selectImports(read, author).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toImport(row);
    },
    /** Newest first. */
    list: async (author: number): Promise<readonly Import[]> =>
      (await selectImports(read, author).orderBy('id', 'desc').execute()).map(toImport),
    /** `planHash` is the hash of the plan that the preview showed. */
    async confirm(
      transaction: KyselyTransaction,
      id: number,
      author: number,
      planHash: string,
      { here, asked }: Choices = UNASKED,
    ): Promise<Confirmed> {
      await lockRows(transaction, 'imports', [id]);
      const row = await selectImports(transaction, author).where('id', '=', id).executeTakeFirst();
      if (row === undefined) return 'missing';
      if (row.plan_hash !== planHash) return 'changed';
      if (row.state !== 'checked') return 'confirmed before';
      const now = new Date();
      if (row.updated_at <= expiredAt(now)) return 'expired';
      if (asked === null && row.rows_to_ask > 0) return 'unanswered';
      const { file_name: file, file_hash: hash } = row;
      const batch = await createBatch(transaction, author, { kind: 'imported', file });
      await transaction
        .updateTable('imports')
        .set({ state: 'importing', here, asked: asked ?? 'leave', batch })
        .set({ updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute();
      await transaction
        .insertInto('imported_files')
        .values({ hash, batch })
        .onConflict((conflict) => conflict.column('hash').doUpdateSet({ batch }))
        .execute();
      return 'confirmed';
    },
    /** What was written stays. Resolves to whether the import was planned or running. */
    async stop(transaction: KyselyTransaction, id: number, author: number): Promise<boolean> {
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
    /** The id of the newest import of the same file that runs, or null. */
    async findRunning(
      sha256: string,
      author: number,
      source: Kysely<Schema> = read,
    ): Promise<number | null> {
      const row = await selectImports(source, author)
        .where('file_hash', '=', sha256)
        .where('state', '=', 'importing')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id ?? null;
    },
    /** Who has imported the same file last, and when; null if nobody has. */
    async findSameFile(sha256: string): Promise<ImportedFile | null> {
      const row = await read
        .selectFrom('imported_files')
        .innerJoin('batches', 'batches.id', 'batch')
        .select(['batch', 'at', 'account_id as account'])
        .where('hash', '=', sha256)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, at: new Date(row.at) };
    },
    /** The rows that are left out, or were, with their cells and why, in the order of the file. */
    readLeftOut: (id: number) => readLeftOut(read, id),
    /** The id of a confirmed import that no process runs, or null. */
    async findWaiting(): Promise<number | null> {
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
    step: createImportStep(database, items, photos),
    /** Ends the lease, so that another process can continue at once. */
    release: (holder: string) =>
      write(async (transaction) => {
        const free = { holder: null, held_until: null };
        await transaction.updateTable('imports').set(free).where('holder', '=', holder).execute();
      }),
    /** Stops the import after an error that every further try would repeat. */
    fail: (id: number, problem: string) =>
      write((transaction) => failImport(transaction, id, problem)),
    remove,
  };
}

async function* noRows(): AsyncGenerator<TableRow> {}

/** Resolves to false if the import runs, or has a later plan. */
function publishFile(
  transaction: KyselyTransaction,
  { id, columns, plan }: ReadFile,
): Promise<boolean> {
  return plan === null
    ? publishColumns(transaction, id, columns)
    : publishPlan(transaction, id, columns, plan);
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
  { name, sha256 }: Pick<UploadedFile, 'name' | 'sha256'>,
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

/** Reads the rows of the file again, and beside them those that are left out, unless somebody chooses otherwise. */
async function* readLeftOut(read: Kysely<Schema>, id: number): AsyncGenerator<TableRow & LeftOut> {
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
