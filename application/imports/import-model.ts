/**
 * Imports in the database, shared by all instances. A file is read into a plan, its author sees a preview and
 * confirms it, and then the import runs. The file itself is not stored, only the rows that are still to be written.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { createBatch } from '../items/events/batches.ts';
import type { Items } from '../items/item.ts';
import {
  expiredAt,
  type Import,
  type ImportWithRows,
  selectImports,
  toImport,
} from './import-row.ts';
import { createImportStep, failImport, type ImportStep } from './import-step.ts';
import type { Counts } from './plan-file.ts';
import { type ImportFile, insertImport, storePlan } from './store-plan.ts';

/** Previews per account; a further one replaces the oldest. */
const MAX_PREVIEWS = 3;

export type Confirmed = 'confirmed' | 'confirmed before' | 'changed' | 'expired' | 'missing';

export interface Imports {
  /** Stores the plan of a file, invisible until `publish`. Rejects with an `ImportRefused`. */
  readonly plan: (
    file: ImportFile,
    author: number,
    onPiece?: (counts: Counts) => void,
  ) => Promise<number>;
  /** Shows the preview to its author, and deletes the oldest of more than three. */
  readonly publish: (transaction: Writing, id: number, author: number) => Promise<void>;
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
    transaction: Writing,
    id: number,
    author: number,
    planHash: string,
  ) => Promise<Confirmed>;
  /** What was written stays. Resolves to whether the import was planned or running. */
  readonly stop: (transaction: Writing, id: number, author: number) => Promise<boolean>;
  /** The newest import of the same file in the state. */
  readonly findSameFile: (
    sha256: string,
    author: number,
    state: 'running' | 'done',
    source?: Kysely<Schema>,
  ) => Promise<Import | null>;
  /** The id of a confirmed import that no process runs, or null. */
  readonly findWaiting: () => Promise<number | null>;
  readonly step: ImportStep;
  /** Ends the lease, so that another process can continue at once. */
  readonly release: (holder: string) => Promise<void>;
  /** Stops the import after an error that every further try would repeat. */
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
    async publish(transaction, id, author) {
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
    fail: (id, problem) => write((transaction) => failImport(transaction, id, problem)),
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
