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
import { type PlannedEdit, planEdit, writeEdits } from '../items/edit/edit-item.ts';
import { nameDefinitions } from '../items/events/batches.ts';
import { changeBy, recordAdded, refuseChange } from '../items/events/change-item.ts';
import { toRefusal } from '../items/events/change-refused.ts';
import { describeLentLimit } from '../items/events/event-text.ts';
import type { Items } from '../items/item.ts';
import { EMPTY_ITEM, ITEM_FIELDS } from '../items/item-fields.ts';
import { rememberSources, type Source } from '../items/item-sources.ts';
import { lendItem } from '../items/lend/lend-item.ts';
import { insertLoans, type Loan, toLoanColumns } from '../items/loan.ts';
import { lockItems, type StoredItem } from '../items/stored-item.ts';
import type { OwnValues } from '../own-fields/own-field.ts';
import { insertValues, type WithValues, withoutEmpty } from '../own-fields/own-values.ts';
import { createAttachPhoto, findPhoto, type Photo, type PhotoParts } from './attach-photo.ts';
import { type FileColumns, rememberChoices } from './file-columns.ts';
import { findKnown, type Thing } from './known-items.ts';
import { areMade, findRemoved, makeDefinitions } from './make-definitions.ts';
import { toNewKey } from './own-columns.ts';
import { type LeftOut, MAX_SHOWN } from './plan-summary.ts';
import { type RowLoan, TOO_MANY_LENT, toLoans } from './read-row.ts';
import {
  type PlannedDefinitions,
  parsePlanned,
  positionsOf,
  type RowToWrite,
} from './store-plan.ts';

/** A row that adds an item. */
type Addition = Extract<RowToWrite, { readonly kind: 'create' }>;
/** A row for an item that exists. */
type Update = Extract<RowToWrite, { readonly number: number }>;

/** Milliseconds after a step until another process may continue the import. */
const LEASE = 15_000;

/** Milliseconds after which a process that stores a photo takes the import again. */
const RENEWAL = 5_000;

/** A lease that ends later than the last one is of a clock that was wrong. Clocks may differ by the time of a lease. */
export function heldRange(now: Date): { readonly first: string; readonly last: string } {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  return { first: at(0), last: at(2 * LEASE) };
}

/** `busy`: another process runs the import. `over`: it is done, or was stopped. */
export type StepResult = 'more' | 'over' | 'busy';

/** `holder` names this process. */
export type ImportStep = (id: number, holder: string) => Promise<StepResult>;

/** Without `photos`, no import has a zip. */
export function createImportStep(
  database: Database,
  items: Pick<Items, 'create'>,
  photos: PhotoParts | null = null,
): ImportStep {
  const attaching = photos === null ? null : createAttachPhoto(database, photos);
  const writePiece = (id: number, holder: string) =>
    database.write(async (transaction): Promise<StepResult | Photo> => {
      await lockRows(transaction, 'imports', [id]);
      const row = await transaction
        .selectFrom('imports')
        .innerJoin('accounts', 'accounts.id', 'imports.account_id')
        .select(['state', 'account_id as author', 'batch', 'refusals', 'holder'])
        .select(['held_until as heldUntil', 'role', 'disabled_at as removedAt', 'plan'])
        .select(['here', 'asked', 'fields', 'photos'])
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
        const photo = attaching === null ? undefined : await findPhoto(transaction, id, row.plan);
        if (photo !== undefined) {
          await update.set(toLease(holder, now)).execute();
          return photo;
        }
        await update.set({ state: 'done', holder: null, held_until: null }).execute();
        return 'over';
      }
      const rows = readWork(piece.work);
      const { author, batch, asked, here } = row;
      const planned = parsePlanned(row.fields);
      if (!areMade(planned) && row.role !== 'administrator') {
        await failImport(transaction, id, 'The account may not make fields or kinds any more.');
        return 'over';
      }
      const run = { author, batch, here, asked, planned };
      const done = await writeRows(transaction, items, rows, run);
      if (typeof done === 'string') {
        await failImport(transaction, id, done);
        return 'over';
      }
      if (row.photos !== null) await namePhotos(transaction, id, row.plan, done.written, here);
      if (done.made !== planned) await storeDefinitions(transaction, id, batch, done.made);
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
      const refusals = [...(JSON.parse(row.refusals) as LeftOut[]), ...done.left];
      await update
        .set({
          rows_done: sql`rows_done + ${rows.length}`,
          rows_created: sql`rows_created + ${done.created}`,
          rows_changed: sql`rows_changed + ${done.changed}`,
          rows_left: sql`rows_left + ${done.left.length}`,
          rows_left_out: sql`rows_left_out + ${done.leftOut.length}`,
          refusals: JSON.stringify(refusals.slice(0, MAX_SHOWN)),
          ...toLease(holder, now),
        })
        .execute();
      return 'more';
    });
  return async (id, holder) => {
    const result = await writePiece(id, holder);
    if (typeof result === 'string') {
      if (result !== 'more') attaching?.close();
      return result;
    }
    const attach = async () =>
      attaching?.attach(result, async (transaction) => {
        await lockRows(transaction, 'imports', [id]);
        const row = await transaction
          .selectFrom('imports')
          .select(['state', 'holder', 'account_id as author', 'batch'])
          .where('id', '=', id)
          .executeTakeFirst();
        return row?.state === 'importing' && row.holder === holder ? row : null;
      });
    // A large photo on its way to a slow file store takes longer than a lease. Otherwise another process would take
    // the import, and take as long.
    await renewing(database, id, holder, attach);
    return 'more';
  };
}

/** Renews the lease until the work ends, unless another process has the import. */
async function renewing(
  { write }: Pick<Database, 'write'>,
  id: number,
  holder: string,
  work: () => Promise<void>,
): Promise<void> {
  let renewal: Promise<unknown> = Promise.resolve();
  const renew = () =>
    write(async (transaction) => {
      await transaction
        .updateTable('imports')
        .set(toLease(holder, new Date()))
        .where('id', '=', id)
        .where('holder', '=', holder)
        .execute();
    });
  const timer = setInterval(() => {
    // If the database is away, the work or the next step says so.
    renewal = renew().catch(() => {});
  }, RENEWAL);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await renewal;
  }
}

function toLease(holder: string, now: Date) {
  return { holder, held_until: new Date(now.getTime() + LEASE).toISOString() };
}

/**
 * The photos of rows that were written now have their items. A row that repeats another is left out unless it is added
 * all the same, and its photos go to the item of the other.
 */
async function namePhotos(
  transaction: KyselyTransaction,
  id: number,
  plan: number,
  written: ReadonlyMap<number, number>,
  here: Choice,
): Promise<void> {
  if (written.size === 0) return;
  const lineOf = here === 'add' ? sql<number>`line` : sql<number>`coalesce(first_line, line)`;
  const { first, last } = positionsOf(plan);
  const rows = await transaction
    .selectFrom('import_photos')
    .select(['position', lineOf.as('line')])
    .where('import_id', '=', id)
    .where('position', '>=', first)
    .where('position', '<=', last)
    .where(lineOf, 'in', [...written.keys()])
    .execute();
  for (const { position, line } of rows)
    await transaction
      .updateTable('import_photos')
      .set({ item_number: written.get(Number(line)) ?? null })
      .where('import_id', '=', id)
      .where('position', '=', position)
      .execute();
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

/** What to do with rows of items that exist. */
export type Choice = 'leave' | 'update' | 'add';

interface Run {
  readonly planned: PlannedDefinitions;
  readonly author: number;
  readonly batch: number | null;
  readonly here: Choice;
  /** For rows of items that have another name. */
  readonly asked: Choice;
}

/** Milliseconds after which the event loop gets a turn. */
const MAX_TURN = 1;

/** Resolves to why nothing can be written, if a field cannot be made, or is not there any more. */
async function writeRows(
  transaction: KyselyTransaction,
  items: Pick<Items, 'create'>,
  all: readonly RowToWrite[],
  run: Run,
) {
  const { planned } = run;
  const created: { readonly number: number; readonly name: string }[] = [];
  const found: (Source & { readonly number: number })[] = [];
  /** The items of the lines. */
  const written = new Map<number, number>();
  let changed = 0;
  const left: LeftOut[] = [];
  const leave = ({ line, name }: RowToWrite, problem: string) => left.push({ line, name, problem });
  const remember = ({ sources }: RowToWrite, number: number) =>
    found.push(...sources.map((source) => ({ ...source, number })));
  const rows = all.flatMap((row) => toWanted(row, run));
  // Before the first change, as every other change does: see lockItems, and the create of item.ts.
  const numbers = rows.flatMap((row) => ('number' in row ? row.number : []));
  const stored = await lockItems(transaction, numbers);
  if (numbers.length < rows.length) await lockRows(transaction, 'counters', ['items']);
  // After the items: whoever changes definitions locks them in this order.
  const made = areMade(planned) ? planned : await makeDefinitions(transaction, planned, run.author);
  if (typeof made === 'string') return made;
  const kinds = new Map(made.kinds.map(({ key, id }) => [key, id]));
  const toValues = ({ values }: Pick<RowToWrite, 'values'>): RowToWrite['values'] =>
    values.kind == null ? values : { ...values, kind: kinds.get(values.kind) ?? values.kind };
  const ids = new Map(made.fields.map(({ key, id }) => [key, String(id)]));
  const toOwn = ({ own = {} }: Pick<RowToWrite, 'own'>): OwnValues =>
    Object.fromEntries(Object.entries(own).map(([key, value]) => [ids.get(key) ?? key, value]));
  const used = rows.map((row) => ({ kind: toValues(row).kind ?? null, own: toOwn(row) }));
  const gone = await findRemoved(transaction, used);
  if (gone !== null) return gone;
  const values: WithValues[] = [];
  const { author, batch } = run;
  const edits = new Map<number, PlannedEdit>();
  const lends: (() => Promise<unknown>)[] = [];
  // All at once: for each item alone, they are a dozen statements.
  const writeChanges = async () => {
    await writeEdits(transaction, [...edits.values()], changeBy(author, batch));
    edits.clear();
    for (const lend of lends.splice(0)) await lend();
  };
  const appeared = await findAppeared(transaction, rows, run);
  let since = performance.now();
  for (const row of rows) {
    if (appeared.has(row)) {
      leave(row, 'Somebody else has added it since the preview');
    } else if (row.kind === 'create') {
      const input = { ...EMPTY_ITEM, ...toValues(row), own: withoutEmpty(toOwn(row)) };
      const loans = toLoans(row.loans, input.quantity);
      if (loans === null) {
        leave(row, TOO_MANY_LENT);
        continue;
      }
      const number = await items.create(transaction, input, run.author, values);
      created.push({ number, name: input.name });
      written.set(row.line, number);
      await takeOver(transaction, number, { loans, added: row.added });
      remember(row, number);
    } else {
      const { number } = row;
      if (edits.has(number)) await writeChanges();
      const update = { ...row, values: toValues(row) };
      const planned = await planChange(transaction, update, toOwn(row), stored.get(number));
      if ('problem' in planned) {
        leave(row, planned.problem);
        continue;
      }
      const { edit, begun } = planned;
      remember(row, number);
      written.set(row.line, number);
      if (edit !== null || begun.length > 0) changed++;
      if (edit !== null) {
        edits.set(number, edit);
        stored.set(number, edit.after);
      }
      for (const loan of begun)
        lends.push(() => lendItem(transaction, number, loan, author, batch));
    }
    // SQLite never yields by itself. The transaction may wait: see MAX_TURN of group-commit.ts.
    if (performance.now() - since > MAX_TURN) {
      await setImmediate();
      since = performance.now();
    }
  }
  await insertValues(transaction, values);
  await writeChanges();
  const leftOut = all.filter((row) => toWanted(row, run).length === 0);
  // A later file knows the items of these rows, too, wherever they are then.
  for (const row of leftOut) if (row.kind === 'here') remember(row, row.number);
  await rememberSources(transaction, found);
  if (batch !== null) await recordAdded(transaction, created, author, batch);
  return {
    ...{ created: created.length, changed, left, made, written },
    leftOut: leftOut.flatMap(toLeftOut),
  };
}

/** Later pieces use them, later files with the same headings have the fields, and the undo of the import names them. */
async function storeDefinitions(
  transaction: KyselyTransaction,
  id: number,
  batch: number | null,
  definitions: PlannedDefinitions,
): Promise<void> {
  const { fields, kinds } = definitions;
  const { columns } = await transaction
    .updateTable('imports')
    .set({ fields: JSON.stringify(definitions) })
    .where('id', '=', id)
    .returning('columns')
    .executeTakeFirstOrThrow();
  const file: FileColumns = JSON.parse(columns);
  const made = new Map(fields.map((field) => [field.key, field.id]));
  const uses = file.uses.map((use, at) => {
    const own = made.get(toNewKey(at));
    return own ? (`own_${own}` as const) : use;
  });
  await rememberChoices(transaction, { ...file, uses });
  if (batch !== null)
    await nameDefinitions(transaction, batch, {
      fields: fields.flatMap(({ id }) => id ?? []),
      kinds: kinds.flatMap(({ id }) => id ?? []),
    });
}

/** What a new item brings along. */
async function takeOver(
  transaction: KyselyTransaction,
  number: number,
  { loans, added }: Pick<Addition, 'added'> & { readonly loans: readonly Loan[] },
): Promise<void> {
  if (loans.length === 0 && added === null) return;
  await transaction
    .updateTable('items')
    .set(toLoanColumns(loans))
    .set(added === null ? {} : { created_at: added })
    .where('number', '=', number)
    .execute();
  await insertLoans(transaction, [{ number, loans }]);
}

/** A row of an older release has one loan or null, of the whole item. */
function readWork(work: string): readonly RowToWrite[] {
  const rows: readonly (RowToWrite & { readonly loan?: RowLoan | null })[] = JSON.parse(work);
  return rows.map((row) => {
    const { loan } = row;
    const loans = loan ? [{ ...loan, quantity: null }] : [];
    return loan === undefined ? row : { ...row, loans };
  });
}

/** The row as it is to be written; none if it is left out. */
function toWanted(row: RowToWrite, { here, asked }: Run): readonly (Addition | Update)[] {
  if (row.kind === 'create' || row.kind === 'change') return [row];
  const choice = row.kind === 'asked' ? asked : here;
  if (choice === 'add')
    return [{ ...row, kind: 'create', others: 'number' in row ? [row.number] : [] }];
  // A row that is twice in the file has no item to update.
  return choice === 'leave' || row.kind === 'doubled' ? [] : [row];
}

/** Why the row is not imported, unless somebody chooses otherwise; nothing if it is imported. */
function toLeftOut(row: RowToWrite): readonly LeftOut[] {
  const { line, name } = row;
  const leave = (problem: string) => [{ line, name, problem, isChoice: true as const }];
  if (row.kind === 'doubled') return leave(`The same thing is on line ${row.first}`);
  if (row.kind === 'here') return leave(`It is already here, as item ${row.number}`);
  if (row.kind !== 'asked') return [];
  return leave(`It has the reference or the number of item ${row.number}, which has another name`);
}

/** The rows of a piece that waits, as far as they are left out. Of a stopped import, these are all. */
export function leftIn(work: string, isStopped: boolean): readonly LeftOut[] {
  const problem = 'The import was stopped before this row';
  return (JSON.parse(work) as readonly RowToWrite[]).flatMap((row) => {
    const { line, name } = row;
    if (row.kind !== 'create' && row.kind !== 'change') return toLeftOut(row);
    return isStopped ? [{ line, name, problem }] : [];
  });
}

/** The rows that would add an item which somebody else has added since the preview. */
async function findAppeared(
  transaction: KyselyTransaction,
  rows: readonly (Addition | Update)[],
  { here }: Run,
): Promise<ReadonlySet<RowToWrite>> {
  if (here === 'add') return new Set();
  const additions = rows.filter((row) => row.kind === 'create');
  const things = additions.map(({ values, sources, others }): Thing => {
    return { ...EMPTY_ITEM, ...values, sources, not: others };
  });
  const known = await findKnown(transaction, things);
  return new Set(additions.filter((_, at) => known[at]?.number !== null));
}

/** What a row changes, and whom the item is lent to; or why the item is left as it is. */
type PlannedChange =
  | { readonly edit: PlannedEdit | null; readonly begun: readonly Loan[] }
  | { readonly problem: string };

/** `before` is absent if the item was deleted. */
async function planChange(
  transaction: KyselyTransaction,
  { number, version, values, loans }: Update,
  own: OwnValues,
  before: StoredItem | undefined,
): Promise<PlannedChange> {
  // What the file has no column for stays as it is.
  const fields = [
    ...[...ITEM_FIELDS, 'kind' as const].filter((name) => values[name] !== undefined),
    ...Object.keys(own).map((id) => `own_${Number(id)}` as const),
  ];
  const input = { ...EMPTY_ITEM, ...values, own };
  try {
    if (before === undefined) refuseChange({ kind: 'missing' });
    const isFree = loans.length > 0 && before.loans.length === 0;
    const begun = isFree ? toLoans(loans, values.quantity ?? before.quantity) : [];
    if (begun === null) return { problem: `${TOO_MANY_LENT}. It was left as it is` };
    return { edit: await planEdit(transaction, before, { input, version, fields }), begun };
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.kind === 'lent')
      return { problem: `${describeLentLimit(refusal.item)}. Item ${number} was left as it is` };
    const why = refusal.kind === 'missing' ? 'deleted' : 'changed';
    const problem = `Somebody else has ${why} item ${number} since the preview. It was left as it is`;
    return { problem };
  }
}
