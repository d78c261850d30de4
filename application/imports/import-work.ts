/**
 * One step of an import: the next piece of its rows, in one transaction that also deletes the piece. So each
 * row is imported once, however often a process is killed, and however many processes try. The lease only
 * keeps them from waiting for each other: the lock on the row of the import decides.
 *
 * An item that was changed since the preview is left as it is, and named in the result.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import { lockRows } from '../database/locks.ts';
import { editItem, recordAdded } from '../history/change-items.ts';
import { ChangeRefused } from '../history/change-refused.ts';
import { ITEM_FIELDS } from '../history/item-changes.ts';
import type { Items } from '../items/item.ts';
import type { ItemInput } from '../items/item-rows.ts';
import { MAX_SHOWN } from './plan-file.ts';
import { EMPTY, type PlannedRow } from './plan-rows.ts';
import type { RefusedRow } from './read-rows.ts';

/** A row to write. Without a number it adds an item; `values` has the fields to set. */
interface Work {
  readonly line: number;
  readonly number?: number;
  readonly version?: number;
  readonly values: Partial<ItemInput>;
}

/** The rows that there is something to do for, as text for the database; null if there are none. */
export function toWork(rows: readonly PlannedRow[]): string | null {
  const work = rows.flatMap((row): readonly Work[] => {
    if (row.kind === 'create') return [{ line: row.line, values: row.input }];
    if (row.kind !== 'change') return [];
    const { line, number, version, changes } = row;
    const values = Object.entries(changes).map(([name, [, after]]) => [name, after]);
    return [{ line, number, version, values: Object.fromEntries(values) }];
  });
  return work.length === 0 ? null : JSON.stringify(work);
}

/** Milliseconds after a step until another process may go on. */
export const LEASE = 15_000;

/** `busy`: another process has the import. `over`: it is done, or was stopped. */
export type StepResult = 'more' | 'over' | 'busy';

/** Makes one step of the import for the process with this name. */
export type ImportStep = (id: number, holder: string) => Promise<StepResult>;

export function createImportStep(database: Database, items: Pick<Items, 'create'>): ImportStep {
  return (id, holder) =>
    database.write(async (transaction): Promise<StepResult> => {
      await lockRows(transaction, 'imports', 'id', [id]);
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
      const update = transaction
        .updateTable('imports')
        .set({ updated_at: now.toISOString() })
        .where('id', '=', id);
      if (row.removedAt !== null || row.role === 'reader') {
        const problem = 'The account may not change items any more.';
        await update.set({ state: 'stopped', problem }).execute();
        await transaction.deleteFrom('import_pieces').where('import_id', '=', id).execute();
        return 'over';
      }
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
      const work = JSON.parse(piece.work) as readonly Work[];
      const { author, batch } = row;
      const done = await writeRows(transaction, items, work, { author, batch });
      await transaction
        .deleteFrom('import_pieces')
        .where('import_id', '=', id)
        .where('position', '=', piece.position)
        .execute();
      const refusals = [...(JSON.parse(row.refusals) as RefusedRow[]), ...done.refused];
      await update
        .set({
          rows_done: sql`rows_done + ${work.length}`,
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

interface Change {
  readonly author: number;
  readonly batch: number | null;
}

/** Milliseconds that rows are written before the event loop does something else. */
const MAX_TURN = 1;

async function writeRows(
  transaction: Writing,
  items: Pick<Items, 'create'>,
  work: readonly Work[],
  change: Change,
) {
  const created: { readonly number: number; readonly name: string }[] = [];
  let changed = 0;
  const refused: RefusedRow[] = [];
  let since = performance.now();
  for (const row of work) {
    if (row.number === undefined) {
      const input = { ...EMPTY, ...row.values };
      const number = await items.create(transaction, input, change.author);
      created.push({ number, name: input.name });
    } else {
      const problem = await changeItem(transaction, row.number, row, change);
      if (problem === null) changed++;
      else refused.push({ line: row.line, problem });
    }
    // SQLite answers at once. The transaction may wait: see MAX_TURN of group-commit.ts.
    if (performance.now() - since > MAX_TURN) {
      await setImmediate();
      since = performance.now();
    }
  }
  const { author, batch } = change;
  if (batch !== null) await recordAdded(transaction, created, author, batch);
  return { created: created.length, changed, refused };
}

/** Resolves to why it was not changed, or null. */
async function changeItem(
  transaction: Writing,
  number: number,
  { values, version = 0 }: Work,
  { author, batch }: Change,
): Promise<string | null> {
  const input = { ...EMPTY, ...values };
  const keep = ITEM_FIELDS.filter((name) => values[name] === undefined);
  try {
    // An item that has these values by now counts as changed: it is what the row says.
    await editItem(transaction, number, { input, version, keep }, author, batch);
    return null;
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    const why = error.refusal.kind === 'missing' ? 'deleted' : 'changed';
    return `Somebody else has ${why} item ${number} since the preview. It was left as it is`;
  }
}
