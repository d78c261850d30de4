/** Edits an item. The change and its event are written in the transaction of the form. */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireEnough, requireItem } from '../events/change-item.ts';
import {
  changedFields,
  compareItems,
  type ItemStateField,
  withFieldsOf,
} from '../events/item-changes.ts';
import { recordEvent } from '../events/item-events.ts';
import { ITEM_FIELDS, type ItemInput } from '../item-fields.ts';
import { type StoredItem, updateItems } from '../stored-item.ts';

export interface Edit {
  readonly input: ItemInput;
  /** The version of the item that the form shows. */
  readonly version: number;
  /** The fields that are set: those of the table, by default. */
  readonly fields?: readonly ItemStateField[];
  /** Fields that stay as they are, whatever the input says. */
  readonly keep?: readonly ItemStateField[];
}

/** Resolves to whether anything was changed. */
export async function editItem(
  transaction: KyselyTransaction,
  number: number,
  { input, version, fields = ITEM_FIELDS, keep = [] }: Edit,
  author: number,
  batch: number | null = null,
): Promise<boolean> {
  const before = await requireItem(transaction, number);
  const set = fields.filter((name) => !keep.includes(name));
  const after = withFieldsOf(before, input, set);
  const changes = compareItems(before, after);
  if (changedFields(changes).length === 0) return false;
  if (await wasChangedSince(transaction, before, version)) refuseChange({ kind: 'conflict' });
  const change = changeBy(author, batch);
  const item = { ...before, ...after, version: before.version + 1 };
  requireEnough(before, item);
  await updateItems(transaction, [{ before, after: item }], change);
  await recordEvent(transaction, item, change, { kind: 'changed', changes });
  return true;
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
