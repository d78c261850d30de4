/**
 * One step of an import writes the items of the next piece and deletes the piece, in one transaction. So each
 * row is imported once, even if processes are killed or several try at once. The lock on the row of the import
 * guarantees this; the lease only keeps the processes from waiting for the lock.
 *
 * An item that was changed after the preview is left as it is, a row whose item was added since is left out, and the
 * result names both.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import { editItem } from '../items/edit/edit-item.ts';
import { recordAdded, requireItem } from '../items/events/change-item.ts';
import { toRefusal } from '../items/events/change-refused.ts';
import { changedFields } from '../items/events/item-changes.ts';
import type { Items } from '../items/item.ts';
import { EMPTY_ITEM, ITEM_FIELDS, type ItemInput } from '../items/item-fields.ts';
import { rememberSources, type Source } from '../items/item-sources.ts';
import { lendItem } from '../items/lend/lend-item.ts';
import { toLoanColumns } from '../items/loan.ts';
import { findKnown, type Thing } from './known-items.ts';
import { positionsOf } from './plan-positions.ts';
import type { PlannedRow } from './plan-rows.ts';
import { type LeftRow, MAX_SHOWN } from './plan-summary.ts';
import type { RowLoan } from './read-row.ts';

/** A row without a number adds an item. `values` has the fields to set. */
interface RowToWrite {
  readonly line: number;
  /** As in the file. */
  readonly name: string;
  readonly number?: number;
  readonly version?: number;
  readonly values: Partial<ItemInput>;
  /** Who has the thing; for an item that nobody has. */
  readonly loan?: RowLoan;
  /** Since when the item was lent in the preview that showed it with a quantity of 0. */
  readonly lentAt?: string;
  /** When another collection says that the item was added. */
  readonly added?: string;
  /** By which later files know the item. */
  readonly sources?: readonly Source[];
  /** Items that are not this thing, although they have its name and its location. */
  readonly others?: readonly number[];
  /** For rows that are written only if it is asked for. */
  readonly kind?: 'here' | 'asked' | 'doubled';
  /** The line of the first row for the same thing. */
  readonly first?: number;
}

/** A piece as text for the database: the rows that may be written. Null if there are none. */
export function serializePiece(rows: readonly PlannedRow[]): string | null {
  const toWrite = rows.flatMap((row): readonly RowToWrite[] => {
    const { kind, line, name } = row;
    if (kind === 'same' || kind === 'refuse') return [];
    const { values, sources } = row;
    const { loan, added } = row;
    const common = {
      ...{ line, name, values },
      ...(sources.length === 0 ? {} : { sources }),
      ...(loan === null ? {} : { loan }),
      ...(added === null ? {} : { added }),
    };
    if (kind === 'create')
      return [{ ...common, ...(row.others.length === 0 ? {} : { others: row.others }) }];
    if (kind === 'doubled') return [{ ...common, kind, first: row.first }];
    const { number, version } = row;
    const item = { number, version, ...(row.lent === undefined ? {} : { lentAt: row.lent.at }) };
    if (kind !== 'change') return [{ ...common, kind, ...item }];
    const changed = changedFields(row.changes).map((field) => [field, values[field]]);
    const { loan: shown, ...rest } = common;
    const lent = row.changes.loan === undefined || shown === undefined ? {} : { loan: shown };
    return [{ ...rest, ...lent, ...item, values: Object.fromEntries(changed) }];
  });
  return toWrite.length === 0 ? null : JSON.stringify(toWrite);
}

/** Milliseconds after a step until another process may continue the import. */
const LEASE = 15_000;

/** A lease that ends later than the last one is of a clock that was wrong. Clocks may differ by the time of a lease. */
export function heldRange(now: Date): { readonly first: string; readonly last: string } {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  return { first: at(0), last: at(2 * LEASE) };
}

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
        .select(['held_until as heldUntil', 'role', 'disabled_at as removedAt', 'plan'])
        .select(['here', 'asked'])
        .where('imports.id', '=', id)
        .executeTakeFirst();
      if (row?.state !== 'importing') return 'over';
      const now = new Date();
      const { first, last } = heldRange(now);
      const isHeld =
        row.holder !== holder &&
        row.heldUntil !== null &&
        row.heldUntil > first &&
        row.heldUntil <= last;
      if (isHeld) return 'busy';
      if (row.removedAt !== null || row.role === 'reader') {
        await failImport(transaction, id, 'The account may not change items any more.');
        return 'over';
      }
      const update = transaction
        .updateTable('imports')
        .set({ updated_at: now.toISOString() })
        .where('id', '=', id);
      const positions = positionsOf(row.plan);
      const piece = await transaction
        .selectFrom('import_pieces')
        .select(['position', 'work'])
        .where('import_id', '=', id)
        .where('position', '>=', positions.first)
        .where('position', '<=', positions.last)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst();
      if (piece === undefined) {
        await update.set({ state: 'done', holder: null, held_until: null }).execute();
        return 'over';
      }
      const rows = JSON.parse(piece.work) as readonly RowToWrite[];
      const { author, batch, asked, here } = row;
      const done = await writeRows(transaction, items, rows, { author, batch, here, asked });
      await transaction
        .deleteFrom('import_pieces')
        .where('import_id', '=', id)
        .where('position', '=', piece.position)
        .execute();
      const left = [...done.left, ...done.leftOut];
      if (left.length > 0) {
        const position = positions.last - (piece.position - positions.first);
        const refused = { import_id: id, position, rows: JSON.stringify(left) };
        await transaction.insertInto('import_refusals').values(refused).execute();
      }
      const refusals = [...(JSON.parse(row.refusals) as LeftRow[]), ...done.left];
      await update
        .set({
          rows_done: sql`rows_done + ${rows.length}`,
          rows_created: sql`rows_created + ${done.created}`,
          rows_changed: sql`rows_changed + ${done.changed}`,
          rows_left: sql`rows_left + ${done.left.length}`,
          rows_left_out: sql`rows_left_out + ${done.leftOut.length}`,
          refusals: JSON.stringify(refusals.slice(0, MAX_SHOWN)),
          holder,
          held_until: new Date(now.getTime() + LEASE).toISOString(),
        })
        .execute();
      return 'more';
    });
}

/**
 * Stops the import for a reason that would stop every further try. What was written stays, and so do the pieces: they
 * tell which rows are left.
 */
export async function failImport(
  transaction: KyselyTransaction,
  id: number,
  problem: string,
): Promise<void> {
  await transaction
    .updateTable('imports')
    .set({ state: 'stopped', problem, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute();
}

interface Change {
  readonly author: number;
  readonly batch: number | null;
  /** What to do with rows of items that exist. */
  readonly here: Choice;
  /** What to do with rows of items that have another name. */
  readonly asked: Choice;
}

type Choice = 'leave' | 'update' | 'add';

/** Milliseconds after which the event loop gets a turn. */
const MAX_TURN = 1;

async function writeRows(
  transaction: KyselyTransaction,
  items: Pick<Items, 'create'>,
  all: readonly RowToWrite[],
  change: Change,
) {
  const created: { readonly number: number; readonly name: string }[] = [];
  const found: (Source & { readonly number: number })[] = [];
  let changed = 0;
  const left: LeftRow[] = [];
  const leave = ({ line, name = '' }: RowToWrite, problem: string) =>
    left.push({ line, name, problem });
  const isLeftOut = (row: RowToWrite) => choiceFor(row, change) === 'leave';
  const rows = all.filter((row) => !isLeftOut(row)).map((row) => toWanted(row, change));
  // Before the first change, as every other change does: see lockItems, and the create of item.ts.
  const numbers = rows.flatMap(({ number }) => number ?? []);
  await lockRows(transaction, 'items', numbers);
  if (numbers.length < rows.length) await lockRows(transaction, 'counters', ['items']);
  const isKnown = await findAppeared(transaction, rows, change);
  let since = performance.now();
  for (const row of rows) {
    const { number } = row;
    const remember = (item: number) =>
      found.push(...(row.sources ?? []).map((source) => ({ ...source, number: item })));
    if (isKnown.has(row)) {
      leave(row, 'Somebody else has added it since the preview');
    } else if (number === undefined) {
      const input = { ...EMPTY_ITEM, ...row.values };
      const added = await items.create(transaction, input, change.author);
      created.push({ number: added, name: input.name });
      await takeOver(transaction, added, row);
      remember(added);
    } else {
      const result = await changeItem(transaction, number, row, change);
      if (result === 'changed') changed++;
      else if (result !== 'same') leave(row, result.problem);
      if (typeof result === 'string') remember(number);
    }
    // SQLite never yields by itself. The transaction may wait: see MAX_TURN of group-commit.ts.
    if (performance.now() - since > MAX_TURN) {
      await setImmediate();
      since = performance.now();
    }
  }
  // A later file knows the items of these rows, too, wherever they are then.
  const leftOut = all.filter(isLeftOut);
  for (const { kind, number, sources = [] } of leftOut)
    if (kind === 'here' && number !== undefined)
      found.push(...sources.map((source) => ({ ...source, number })));
  await rememberSources(transaction, found);
  const { author, batch } = change;
  if (batch !== null) await recordAdded(transaction, created, author, batch);
  return { created: created.length, changed, left, leftOut: leftOut.map(toLeftOut) };
}

/** What a new item brings along. */
async function takeOver(
  transaction: KyselyTransaction,
  number: number,
  { loan, added }: RowToWrite,
): Promise<void> {
  if (loan === undefined && added === undefined) return;
  const at = new Date().toISOString();
  await transaction
    .updateTable('items')
    .set(loan === undefined ? {} : toLoanColumns({ ...loan, at: loan.at ?? at }))
    .set(added === undefined ? {} : { created_at: added })
    .where('number', '=', number)
    .execute();
}

function choiceFor({ kind }: RowToWrite, { here, asked }: Change): Choice | null {
  if (kind === undefined) return null;
  if (kind === 'asked') return asked;
  // A row that is twice in the file has no item to update.
  return kind === 'doubled' && here === 'update' ? 'leave' : here;
}

/** The row as it is to be written. */
function toWanted(row: RowToWrite, change: Change): RowToWrite {
  if (choiceFor(row, change) !== 'add') return row;
  const { number, others = [], ...added } = row;
  return { ...added, others: number === undefined ? others : [...others, number] };
}

/** Why the row is not imported, unless somebody chooses otherwise. */
function toLeftOut({ line, name = '', kind, number, first }: RowToWrite): LeftRow {
  const problem =
    kind === 'doubled'
      ? `The same thing is on line ${first ?? ''}`.trim()
      : kind === 'asked'
        ? `It has the reference or the number of item ${number}, which has another name`
        : `It is already here, as item ${number}`;
  return { line, name, problem, isChoice: true };
}

/** The rows of a piece that waits, as far as they are left out. Of a stopped import, these are all. */
export function leftIn(work: string, isStopped: boolean): readonly LeftRow[] {
  const problem = 'The import was stopped before this row';
  return (JSON.parse(work) as readonly RowToWrite[]).flatMap((row) => {
    if (row.kind !== undefined) return [toLeftOut(row)];
    return isStopped ? [{ line: row.line, name: row.name, problem }] : [];
  });
}

/** The rows that would add an item which somebody else has added since the preview. */
async function findAppeared(
  transaction: KyselyTransaction,
  rows: readonly RowToWrite[],
  { here }: Change,
): Promise<ReadonlySet<RowToWrite>> {
  if (here === 'add') return new Set();
  const fresh = rows.filter(({ number }) => number === undefined);
  const things = fresh.map((row): Thing => {
    return { ...EMPTY_ITEM, ...row.values, sources: row.sources ?? [], not: row.others };
  });
  const known = await findKnown(transaction, things);
  return new Set(fresh.filter((_, at) => known[at]?.number !== null));
}

/** Resolves to the reason if the item was left as it is. */
async function changeItem(
  transaction: KyselyTransaction,
  number: number,
  { values, version = 0, loan, lentAt }: RowToWrite,
  { author, batch }: Change,
): Promise<'changed' | 'same' | { readonly problem: string }> {
  const input = { ...EMPTY_ITEM, ...values };
  const keep = ITEM_FIELDS.filter((name) => values[name] === undefined);
  try {
    if (values.quantity === 0) {
      const before = await requireItem(transaction, number);
      // A loan does not change the version, and the preview has not said that the item is only lent.
      if (before.quantity > 0 && before.loan !== null && before.loan.at !== lentAt)
        return {
          problem: `Somebody has lent item ${number} since the preview. It was left as it is`,
        };
    }
    const edit = { input, version, keep };
    const isChanged = await editItem(transaction, number, edit, author, batch);
    const item = loan === undefined ? null : await requireItem(transaction, number);
    if (loan === undefined || item?.loan !== null) return isChanged ? 'changed' : 'same';
    await lendItem(transaction, number, loan, author, batch);
    return 'changed';
  } catch (error) {
    const why = toRefusal(error).kind === 'missing' ? 'deleted' : 'changed';
    const problem = `Somebody else has ${why} item ${number} since the preview. It was left as it is`;
    return { problem };
  }
}
