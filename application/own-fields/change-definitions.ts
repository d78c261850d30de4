/**
 * Changes of the definitions of kinds and fields. Each has a row in the log `field_changes`: who changed what and when,
 * with the columns as they were before and after, so that it can be undone. Changes run one after another, because each
 * locks the revision of the definitions.
 */
import type { Kysely } from 'kysely';
import { nextNumber } from '../database/counter.ts';
import type { KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { type Definitions, type ItemKind, selectRenames, toDefinitions } from './definitions.ts';
import type { OwnChoice, OwnFieldDefinition } from './own-field.ts';
import { addItemKind, addOwnField } from './write-definitions.ts';

export type DefinitionTable = 'own_fields' | 'item_kinds';

/** The columns of a definition that a change has set, by name. */
export type Columns = Readonly<Record<string, string | number | null>>;

export interface DefinitionEdit {
  readonly table: DefinitionTable;
  readonly id: number;
  readonly set: Columns;
}

export interface DefinitionChange {
  readonly table: DefinitionTable;
  readonly id: number;
  /** The label or the name, as of then. */
  readonly name: string;
  /** Null for an addition. */
  readonly before: Columns | null;
  readonly after: Columns;
}

export type ChangeKind = Schema['field_changes']['kind'];

interface ChangeOptions {
  /** Null for a file that was imported without an account. */
  readonly author: number | null;
  readonly kind: ChangeKind;
  /** The batch that has changed the items along with the definitions. */
  readonly batch?: number | null;
  readonly undoes?: number | null;
}

/** Resolves to the id of the change; null if everything is so already. */
export async function changeDefinitions(
  transaction: KyselyTransaction,
  edits: readonly DefinitionEdit[],
  options: ChangeOptions,
): Promise<number | null> {
  await lockDefinitions(transaction);
  const changes: DefinitionChange[] = [];
  for (const edit of edits) {
    const change = await applyEdit(transaction, edit);
    if (change !== null) changes.push(change);
  }
  return changes.length === 0 ? null : logChange(transaction, changes, options);
}

/** What was added, and the id of its change in the log. */
export interface Added {
  readonly id: number;
  readonly change: number;
}

/** A new field, with its addition in the log. */
export async function createField(
  transaction: KyselyTransaction,
  field: Pick<OwnFieldDefinition, 'kind' | 'label'> & Partial<OwnFieldDefinition>,
  author: number | null,
): Promise<Added> {
  await lockDefinitions(transaction);
  const id = await addOwnField(transaction, field);
  const added = { table: 'own_fields', id, name: field.label, before: null, after: {} } as const;
  return { id, change: await logChange(transaction, [added], { author, kind: 'added' }) };
}

/** A new kind of things, with its addition in the log. */
export async function createKind(
  transaction: KyselyTransaction,
  kind: Pick<ItemKind, 'name'> & Partial<ItemKind>,
  author: number | null,
): Promise<Added> {
  await lockDefinitions(transaction);
  const id = await addItemKind(transaction, kind);
  const added = { table: 'item_kinds', id, name: kind.name, before: null, after: {} } as const;
  return { id, change: await logChange(transaction, [added], { author, kind: 'added' }) };
}

/** Every write of items locks this row last, so a caller that locks items does so before. */
async function lockDefinitions(transaction: KyselyTransaction): Promise<void> {
  await lockRows(transaction, 'revisions', ['items']);
}

/** The definitions as they are until the transaction ends. */
export async function readLocked(transaction: KyselyTransaction): Promise<Definitions> {
  await lockDefinitions(transaction);
  return readDefinitions(transaction);
}

/** As a transaction or a snapshot sees them. */
export async function readDefinitions(source: Kysely<Schema>): Promise<Definitions> {
  const kinds = await source.selectFrom('item_kinds').selectAll().execute();
  const fields = await source.selectFrom('own_fields').selectAll().execute();
  return toDefinitions('', kinds, fields, await selectRenames(source).execute());
}

/** Null if nothing differs. */
async function applyEdit(
  transaction: KyselyTransaction,
  edit: DefinitionEdit,
): Promise<DefinitionChange | null> {
  const row = await findDefinition(transaction, edit);
  if (row === null) throw new Error(`Cannot change ${edit.id} of ${edit.table}: there is none.`);
  const columns = Object.keys(edit.set).filter((name) => row[name] !== edit.set[name]);
  if (columns.length === 0) return null;
  const of = (source: Columns) =>
    Object.fromEntries(columns.map((name) => [name, source[name] ?? null]));
  const after = of(edit.set);
  await transaction
    .updateTable(edit.table)
    .set({ ...after, version: Number(row['version']) + 1 })
    .where('id', '=', edit.id)
    .execute();
  const { table, id } = edit;
  return { table, id, name: nameOf(row), before: of(row), after };
}

/** All columns of the definition, also of a removed one; null if there is none. */
export async function findDefinition(
  transaction: KyselyTransaction,
  { table, id }: Pick<DefinitionEdit, 'table' | 'id'>,
): Promise<Columns | null> {
  const row = await transaction
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : (row as unknown as Columns);
}

function nameOf(row: Columns): string {
  return String(row['label'] ?? row['name'] ?? '');
}

async function logChange(
  transaction: KyselyTransaction,
  changes: readonly DefinitionChange[],
  { author, kind, batch = null, undoes = null }: ChangeOptions,
): Promise<number> {
  const id = await nextNumber(transaction, 'field changes');
  const at = new Date().toISOString();
  const about = JSON.stringify(changes);
  const row = { id, at, account_id: author, kind, about, batch, undoes };
  await transaction.insertInto('field_changes').values(row).execute();
  return id;
}

/** Why a change is not undone. */
export class UndoRefused extends Error {
  override readonly name = 'UndoRefused';
  /** What was changed since; null if the change was undone before, or never was. */
  readonly changed: DefinitionChange | null;

  constructor(changed: DefinitionChange | null) {
    super('The change of the definitions was not undone.');
    this.changed = changed;
  }
}

export interface UndoneChange {
  /** The new change, which is the undo. */
  readonly id: number;
  /** The batch that is to be undone along with it. */
  readonly batch: number | null;
  readonly changes: readonly DefinitionChange[];
}

/** The batch of items that was changed along; null without one. */
export async function findBatchOf(
  transaction: KyselyTransaction,
  id: number,
): Promise<number | null> {
  const found = await transaction
    .selectFrom('field_changes')
    .select('batch')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.batch ?? null;
}

/** Brings back what the change has set, unless somebody has set it since. What it has added is removed. */
export async function undoChange(
  transaction: KyselyTransaction,
  id: number,
  author: number,
): Promise<UndoneChange> {
  await lockDefinitions(transaction);
  const found = await transaction
    .selectFrom('field_changes')
    .leftJoin('field_changes as undo', 'undo.undoes', 'field_changes.id')
    .select(['field_changes.about', 'field_changes.batch', 'undo.id as undoneBy'])
    .where('field_changes.id', '=', id)
    .executeTakeFirst();
  if (found === undefined || found.undoneBy !== null) throw new UndoRefused(null);
  const changes: readonly DefinitionChange[] = JSON.parse(found.about);
  const edits: DefinitionEdit[] = [];
  for (const change of changes.toReversed()) {
    const { table, before, after } = change;
    const row = await findDefinition(transaction, change);
    const isSame = row !== null && Object.keys(after).every((name) => row[name] === after[name]);
    if (!isSame || (before === null && row['removed'] === 1)) throw new UndoRefused(change);
    const set = before === null ? { removed: 1 } : withChoicesOf(after, before);
    edits.push({ table, id: change.id, set });
  }
  const { batch } = found;
  const options = { author, kind: 'undone', batch, undoes: id } as const;
  const undo = await changeDefinitions(transaction, edits, options);
  if (undo === null) throw new UndoRefused(null);
  return { id: undo, batch, changes };
}

/** Things may have a choice that the change has added: it stays, as removed, so that no other one gets its id. */
function withChoicesOf(after: Columns, before: Columns): Columns {
  const [added, kept] = [parseChoices(after), parseChoices(before)];
  const gone = added.filter(({ id }) => !kept.some((one) => one.id === id));
  if (gone.length === 0) return before;
  const removed = gone.map(({ id, label }): OwnChoice => ({ id, label, removed: true }));
  return { ...before, choices: JSON.stringify([...kept, ...removed]) };
}

function parseChoices({ choices }: Columns): readonly OwnChoice[] {
  return typeof choices === 'string' ? JSON.parse(choices) : [];
}
