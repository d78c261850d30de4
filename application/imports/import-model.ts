/**
 * Imports in the database, for all instances: a file is read into a plan, its preview is shown, and it runs
 * once its author has confirmed what the preview showed. Of the file only the rows to write are stored, until
 * they are written.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createBatch } from '../history/batches.ts';
import type { Items } from '../items/item.ts';
import {
  expiredAt,
  type Import,
  type ImportWithRows,
  selectImports,
  toImport,
} from './import-row.ts';
import { createImportStep, type ImportStep } from './import-work.ts';
import type { Counts } from './plan-file.ts';
import { type ImportFile, insertImport, storePlan } from './store-plan.ts';

/** Previews of one account. The oldest goes when there is one more. */
const MAX_PREVIEWS = 3;

export type Confirmed = 'confirmed' | 'confirmed before' | 'changed' | 'expired' | 'missing';

export interface Imports {
  /** Stores the plan of a file; rejects with an `ImportRefused`. Nobody sees it before it is offered. */
  readonly plan: (
    file: ImportFile,
    author: number,
    onPiece?: (counts: Counts) => void,
  ) => Promise<number>;
  readonly offer: (transaction: Writing, id: number, author: number) => Promise<void>;
  /** Null for an import of somebody else. */
  readonly find: (
    id: number,
    author: number,
    source?: Kysely<Schema>,
  ) => Promise<ImportWithRows | null>;
  /** Newest first. */
  readonly list: (author: number) => Promise<readonly Import[]>;
  /** `planHash` is that of the preview that was confirmed. */
  readonly confirm: (
    transaction: Writing,
    id: number,
    author: number,
    planHash: string,
  ) => Promise<Confirmed>;
  /** What was written stays. Resolves to whether it did something. */
  readonly stop: (transaction: Writing, id: number, author: number) => Promise<boolean>;
  /** A finished import of the same file, or one that runs. */
  readonly findSameFile: (
    sha256: string,
    author: number,
    state: 'running' | 'done',
    source?: Kysely<Schema>,
  ) => Promise<Import | null>;
  /** An import to run that no other process has. */
  readonly findWaiting: () => Promise<number | null>;
  readonly step: ImportStep;
  /** Lets other processes go on at once. */
  readonly release: (holder: string) => Promise<void>;
  /** For an error that would come again with each try. */
  readonly fail: (id: number, problem: string) => Promise<void>;
  readonly remove: (id: number) => Promise<void>;
}

export function createImports(database: Database, items: Pick<Items, 'create'>): Imports {
  const { read, write } = database;
  const remove = (id: number) =>
    write(async (transaction) => {
      await transaction.deleteFrom('imports').where('id', '=', id).execute();
    });
  return {
    async plan(file, author, onPiece = () => {}) {
      const id = await write((transaction) => insertImport(transaction, file, author));
      try {
        await storePlan(database, id, file, onPiece);
      } catch (error) {
        await remove(id);
        throw error;
      }
      return id;
    },
    async offer(transaction, id, author) {
      await transaction
        .updateTable('imports')
        .set({ state: 'planned', updated_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
      const previews = await transaction
        .selectFrom('imports')
        .select('id')
        .where('account_id', '=', author)
        .where('state', '=', 'planned')
        .orderBy('id', 'desc')
        .execute();
      const old = previews.slice(MAX_PREVIEWS).map((one) => one.id);
      if (old.length > 0) await transaction.deleteFrom('imports').where('id', 'in', old).execute();
    },
    async find(id, author, source = read) {
      const row = await selectImports(source, author).where('id', '=', id).executeTakeFirst();
      if (row === undefined) return null;
      const { preview, refusals } = row;
      return { ...toImport(row), preview: JSON.parse(preview), refusals: JSON.parse(refusals) };
    },
    list: async (author) =>
      (await selectImports(read, author).orderBy('id', 'desc').execute()).map(toImport),
    async confirm(transaction, id, author, planHash) {
      const now = new Date();
      const { numUpdatedRows } = await transaction
        .updateTable('imports')
        .set({ state: 'running', updated_at: now.toISOString() })
        .where('id', '=', id)
        .where('account_id', '=', author)
        .where('state', '=', 'planned')
        .where('plan_hash', '=', planHash)
        .where('updated_at', '>', expiredAt(now))
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        await beginBatch(transaction, id, author);
        return 'confirmed';
      }
      const row = await selectImports(transaction, author).where('id', '=', id).executeTakeFirst();
      if (row === undefined) return 'missing';
      if (row.plan_hash !== planHash) return 'changed';
      return row.state === 'planned' ? 'expired' : 'confirmed before';
    },
    async stop(transaction, id, author) {
      const now = new Date().toISOString();
      const { numUpdatedRows } = await transaction
        .updateTable('imports')
        .set({ state: 'stopped', problem: 'You have stopped it.', updated_at: now })
        .where('id', '=', id)
        .where('account_id', '=', author)
        .where('state', 'in', ['planned', 'running'])
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction.deleteFrom('import_pieces').where('import_id', '=', id).execute();
      return true;
    },
    async findSameFile(sha256, author, state, source = read) {
      const row = await selectImports(source, author)
        .where('file_hash', '=', sha256)
        .where('state', '=', state)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toImport(row);
    },
    async findWaiting() {
      const row = await read
        .selectFrom('imports')
        .select('id')
        .where('state', '=', 'running')
        .where((row) =>
          row.or([
            row('held_until', 'is', null),
            row('held_until', '<=', new Date().toISOString()),
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
    fail: (id, problem) =>
      write(async (transaction) => {
        const updated_at = new Date().toISOString();
        await transaction
          .updateTable('imports')
          .set({ state: 'stopped', problem, updated_at })
          .where('id', '=', id)
          .execute();
        await transaction.deleteFrom('import_pieces').where('import_id', '=', id).execute();
      }),
    remove,
  };
}

async function beginBatch(transaction: Writing, id: number, author: number): Promise<void> {
  const { file } = await transaction
    .selectFrom('imports')
    .select('file_name as file')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const batch = await createBatch(transaction, author, { kind: 'imported', file });
  await transaction.updateTable('imports').set({ batch }).where('id', '=', id).execute();
}
