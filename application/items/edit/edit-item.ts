/** Edits an item. The change and its event are written in the transaction of the form. */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireEnough, requireItem } from '../events/change-item.ts';
import {
  type Changes,
  changedFields,
  compareItems,
  type ItemStateField,
  withFieldsOf,
} from '../events/item-changes.ts';
import { recordEvents } from '../events/item-events.ts';
import { ITEM_FIELDS, type ItemInput } from '../item-fields.ts';
import { type Authorship, type ItemChange, type StoredItem, updateItems } from '../stored-item.ts';

export interface Edit {
  readonly input: ItemInput;
  /** The version of the item that the form shows. */
  readonly version: number;
  /** The fields that are set: those of the table, by default. */
  readonly fields?: readonly ItemStateField[];
  /** Fields that stay as they are, whatever the input says. */
  readonly keep?: readonly ItemStateField[];
}

/** A change that is allowed, and not written yet. */
export interface PlannedEdit extends ItemChange {
  readonly changes: Changes;
}

/** Resolves to whether anything was changed. */
export async function editItem(
  transaction: KyselyTransaction,
  number: number,
  edit: Edit,
  author: number,
  batch: number | null = null,
): Promise<boolean> {
  const planned = await planEdit(transaction, await requireItem(transaction, number), edit);
  if (planned !== null) await writeEdits(transaction, [planned], changeBy(author, batch));
  return planned !== null;
}

/** Of an item that the caller has locked. Resolves to null if nothing differs, and refuses what cannot be. */
export async function planEdit(
  transaction: KyselyTransaction,
  before: StoredItem,
  { input, version, fields = ITEM_FIELDS, keep = [] }: Edit,
): Promise<PlannedEdit | null> {
  const set = fields.filter((name) => !keep.includes(name));
  const after = withFieldsOf(before, input, set);
  const changes = compareItems(before, after);
  if (changedFields(changes).length === 0) return null;
  if (await wasChangedSince(transaction, before, version)) refuseChange({ kind: 'conflict' });
  const item = { ...before, ...after, version: before.version + 1 };
  requireEnough(before, item);
  return { before, after: item, changes };
}

/** Writes the edits of up to a few hundred items, each of them once, with their events. */
export async function writeEdits(
  transaction: KyselyTransaction,
  edits: readonly PlannedEdit[],
  change: Authorship,
): Promise<void> {
  if (edits.length === 0) return;
  await updateItems(transaction, edits, change);
  const events = edits.map(({ after, changes }) => {
    return { item: after, kind: 'changed' as const, changes };
  });
  await recordEvents(transaction, change, events);
}

/** Whether a field of the form was changed. A deletion followed by a restore changes none. */
async function wasChangedSince(
  transaction: KyselyTransaction,
  item: StoredItem,
  version: number,
): Promise<boolean> {
  if (version === item.version) return false;
  if (version > item.version) return true;
  const later = await transaction
    .selectFrom('item_events')
    .select('kind')
    .where('item_number', '=', item.number)
    .where('version', '>', version)
    .execute();
  return later.length === 0 || later.some(({ kind }) => kind === 'changed' || kind === 'counted');
}
