/**
 * One step of an import writes the items of the next piece and deletes the piece, in one transaction. So each
 * row is imported once, even if processes are killed or several try at once. The lock on the row of the import
 * guarantees this; the lease only keeps the processes from waiting for the lock.
 *
 * An item that was changed after the preview is left as it is, and named in the result.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Writing } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import { editItem } from '../items/edit/edit-item.ts';
import { recordAdded } from '../items/events/change-item.ts';
import { toRefusal } from '../items/events/change-refused.ts';
import { ITEM_FIELDS } from '../items/events/item-changes.ts';
import type { Items } from '../items/item.ts';
import type { ItemInput } from '../items/item-rows.ts';
import { MAX_SHOWN } from './plan-file.ts';
import { EMPTY, type PlannedRow } from './plan-rows.ts';
import type { RefusedRow } from './read-rows.ts';

/** A row without a number adds an item. `values` has the fields to set. */
interface RowToWrite {
  readonly line: number;
  readonly number?: number;
  readonly version?: number;
  readonly values: Partial<ItemInput>;
}

/** A piece as text for the database: the rows that add or change an item. Null if there are none. */
export function serializePiece(rows: readonly PlannedRow[]): string | null {
  const toWrite = rows.flatMap((row): readonly RowToWrite[] => {
    if (row.kind === 'create') return [{ line: row.line, values: row.input }];
    if (row.kind !== 'change') return [];
    const { line, number, version, changes } = row;
    const values = Object.entries(changes).map(([name, [, after]]) => [name, after]);
    return [{ line, number, version, values: Object.fromEntries(values) }];
  });
  return toWrite.length === 0 ? null : JSON.stringify(toWrite);
}

/** Milliseconds after a step until another process may continue the import. */
const LEASE = 15_000;

/** `busy`: another process runs the import. `over`: it is done, or was stopped. */
export type StepResult = 'more' | 'over' | 'busy';

/** `holder` names this process. */
export type ImportStep = (id: number, holder: string) => Promise<StepResult>;

export function createImportStep(database: Database, items: Pick<Items, 'create'>): ImportStep {
  return (id, holder) =>
    database.write(async (transaction): Promise<StepResult> => {
      await lockRows(transaction, 'imports', [id]);
      const row = await transaction
        .selectFrom('imports')
        .innerJoin('accounts', 'accounts.id', 'imports.account_id')
        .select(['state', 'account_id as author', 'batch', 'refusals', 'holder'])
        .select(['held_until as heldUntil', 'role', 'disabled_at as removedAt'])
        .where('imports.id', '=', id)
        .executeTakeFirst();
      if (row?.state !== 'running') return 'over';
      const now = new Date();
      const isHeld = row.holder !== holder && (row.heldUntil ?? '') > now.toISOString();
      if (isHeld) return 'busy';
      if (row.removedAt !== null || row.role === 'reader') {
        await failImport(transaction, id, 'The account may not change items any more.');
        return 'over';
      }
      const update = transaction
        .updateTable('imports')
        .set({ updated_at: now.toISOString() })
        .where('id', '=', id);
      const piece = await transaction
        .selectFrom('import_pieces')
        .select(['position', 'work'])
        .where('import_id', '=', id)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst();
      if (piece === undefined) {
        await update.set({ state: 'done', holder: null, held_until: null }).execute();
        return 'over';
      }
      const rows = JSON.parse(piece.work) as readonly RowToWrite[];
      const { author, batch } = row;
      const done = await writeRows(transaction, items, rows, { author, batch });
      await transaction
        .deleteFrom('import_pieces')
        .where('import_id', '=', id)
        .where('position', '=', piece.position)
        .execute();
      const refusals = [...(JSON.parse(row.refusals) as RefusedRow[]), ...done.refused];
      await update
        .set({
          rows_done: sql`rows_done + ${rows.length}`,
          rows_created: sql`rows_created + ${done.created}`,
          rows_changed: sql`rows_changed + ${done.changed}`,
          rows_left: sql`rows_left + ${done.refused.length}`,
          refusals: JSON.stringify(refusals.slice(0, MAX_SHOWN)),
          holder,
          held_until: new Date(now.getTime() + LEASE).toISOString(),
        })
        .execute();
      return 'more';
    });
}

/** Stops the import for a reason that would stop every further try. What was written stays. */
export async function failImport(transaction: Writing, id: number, problem: string): Promise<void> {
  await transaction
    .updateTable('imports')
    .set({ state: 'stopped', problem, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute();
  await transaction.deleteFrom('import_pieces').where('import_id', '=', id).execute();
}

interface Change {
  readonly author: number;
  readonly batch: number | null;
}

/** Milliseconds after which the event loop gets a turn. */
const MAX_TURN = 1;

async function writeRows(
  transaction: Writing,
  items: Pick<Items, 'create'>,
  rows: readonly RowToWrite[],
  change: Change,
) {
  const created: { readonly number: number; readonly name: string }[] = [];
  let changed = 0;
  const refused: RefusedRow[] = [];
  // Before the first change, as every other change does: see lockItems, and the create of item.ts.
  const numbers = rows.flatMap(({ number }) => number ?? []);
  await lockRows(transaction, 'items', numbers);
  if (numbers.length < rows.length) await lockRows(transaction, 'counters', ['items']);
  let since = performance.now();
  for (const row of rows) {
    if (row.number === undefined) {
      const input = { ...EMPTY, ...row.values };
      const number = await items.create(transaction, input, change.author);
      created.push({ number, name: input.name });
    } else {
      const problem = await changeItem(transaction, row.number, row, change);
      if (problem === null) changed++;
      else refused.push({ line: row.line, problem });
    }
    // SQLite never yields by itself. The transaction may wait: see MAX_TURN of group-commit.ts.
    if (performance.now() - since > MAX_TURN) {
      await setImmediate();
      since = performance.now();
    }
  }
  const { author, batch } = change;
  if (batch !== null) await recordAdded(transaction, created, author, batch);
  return { created: created.length, changed, refused };
}

/** Resolves to null, or to the reason why the item was left as it is. */
async function changeItem(
  transaction: Writing,
  number: number,
  { values, version = 0 }: RowToWrite,
  { author, batch }: Change,
): Promise<string | null> {
  const input = { ...EMPTY, ...values };
  const keep = ITEM_FIELDS.filter((name) => values[name] === undefined);
  try {
    // An item that already has these values counts as changed.
    await editItem(transaction, number, { input, version, keep }, author, batch);
    return null;
  } catch (error) {
    const why = toRefusal(error).kind === 'missing' ? 'deleted' : 'changed';
    return `Somebody else has ${why} item ${number} since the preview. It was left as it is`;
  }
}
