/**
 * Removes values for ever: a deleted item with its history, or one old value of an existing item. The events stay,
 * with who did what and when, and the removal is an event too, without the value. remove-copies.ts removes the value
 * from other tables.
 */

import { isDeepStrictEqual } from 'node:util';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { lockRows } from '../../database/locks.ts';
import { changeBy, refuseChange, requireItem } from '../events/change-item.ts';
import {
  type Changes,
  fieldOf,
  isOwnName,
  parseChanges,
  type RecordedLoan,
  type RecordedValue,
  recordedFields,
} from '../events/item-changes.ts';
import { type ItemEvent, recordEvent, selectEvents, toEvent } from '../events/item-events.ts';
import { oldValueOf, type Removable } from '../events/old-values.ts';
import { ITEM_FIELDS } from '../item-fields.ts';
import { piecesOf } from '../pieces.ts';
import { lockPlaces } from '../place.ts';
import { lockItem, parseSnapshot } from '../stored-item.ts';
import { forgetPlaces } from './forget-places.ts';
import { clearBatches, clearEmptyBatches, removeCopies } from './remove-copies.ts';

/**
 * Removes the old value of the event from all events of the item. Throws a `ChangeRefused` if the item is deleted or
 * still has the value.
 */
export async function removeOldValue(
  transaction: KyselyTransaction,
  number: number,
  id: number,
  kind: Removable,
  author: number,
): Promise<void> {
  const item = await requireItem(transaction, number);
  const events = await readEvents(transaction, number);
  const shown = events.find((event) => event.id === id);
  const value = shown === undefined ? null : oldValueOf(shown, kind);
  if (value === null) refuseChange({ kind: 'gone' });
  const isThere =
    kind === 'loans'
      ? item.loans.some((loan) => isSameLoan(loan, value))
      : kind !== 'reason' && isDeepStrictEqual(fieldOf(item, kind), value);
  if (isThere) refuseChange({ kind: 'still there' });
  const batches = new Set<number>();
  for (const event of events) {
    const without = withoutValue(event, kind, value);
    if (without === null) continue;
    if (event.batch !== null) batches.add(event.batch);
    await transaction.updateTable('item_events').set(without).where('id', '=', event.id).execute();
  }
  // The pages of the item show its history: a new version of it is a new revision of what they show.
  const version = item.version + 1;
  await transaction.updateTable('items').set({ version }).where('number', '=', number).execute();
  if (kind === 'name')
    await transaction
      .updateTable('count_lines')
      .set({ name: '' })
      .where('item_number', '=', number)
      .where('name', '=', String(value))
      .execute();
  const removal = { kind: 'value removed', reason: kind } as const;
  await recordEvent(transaction, { ...item, version }, changeBy(author), removal);
  await clearBatches(transaction, [...batches]);
  await removeCopies(transaction, number, textsOf(value));
  if (kind === 'location') await forgetPlaces(transaction, textsOf(value), { isWhole: true });
}

/** The columns of the event without the value; null if it does not have it. */
function withoutValue(event: ItemEvent, kind: Removable, value: RecordedValue) {
  if (kind === 'reason')
    return event.kind !== 'value removed' && event.reason === value ? { reason: '' } : null;
  const { changes: all } = event;
  if (kind === 'loans') {
    const isNamed = (loan: RecordedLoan) => isSameLoan(loan, value);
    if (!all.loans?.flat().some(isNamed)) return null;
    // The days of a loan stay.
    const loans = all.loans.map((some) =>
      some.map((one) => (isNamed(one) ? { ...one, to: '' } : one)),
    );
    return { changes: JSON.stringify({ ...all, loans }) };
  }
  const pair: readonly RecordedValue[] = all[kind] ?? [];
  const isNamed = kind === 'name' && event.itemName === value;
  if (!isNamed && !pair.some((one) => isDeepStrictEqual(one, value))) return null;
  const left = pair.map((one) => (isDeepStrictEqual(one, value) ? null : one));
  const changes =
    left.length === 0 ? all : { ...all, [kind]: left, ...withoutName(all, kind, left) };
  return { changes: JSON.stringify(changes), item_name: isNamed ? '' : event.itemName };
}

/** What the removed value of an own field was called. */
function withoutName({ names }: Changes, kind: Removable, left: readonly RecordedValue[]) {
  const named = isOwnName(kind) ? names?.[kind] : undefined;
  if (named === undefined) return {};
  const [label, ...texts] = named;
  return {
    names: { ...names, [kind]: [label, ...texts.map((one, at) => (left[at] === null ? '' : one))] },
  };
}

/** Whether the loan is one of the old value: the same one may have had another quantity. */
function isSameLoan({ at, to }: RecordedLoan, value: RecordedValue): boolean {
  return (value as readonly RecordedLoan[]).some((one) => one.at === at && one.to === to);
}

/** Throws a `ChangeRefused` unless the item is deleted; `missing` if there never was one. */
export async function removeItemForEver(
  transaction: KyselyTransaction,
  number: number,
  author: number,
): Promise<void> {
  if ((await lockItem(transaction, number)) !== null) refuseChange({ kind: 'still there' });
  const ids = await transaction
    .selectFrom('item_events')
    .select('id')
    .where('item_number', '=', number)
    .orderBy('id')
    .execute();
  await lockRows(
    transaction,
    'item_events',
    ids.map(({ id }) => id),
  );
  // Read under the locks: a restore that came first has committed, and one that comes later finds no item.
  const events = await readEvents(transaction, number);
  const last = events.at(0);
  if (last === undefined) refuseChange({ kind: 'missing' });
  if (last.kind === 'removed') refuseChange({ kind: 'gone' });
  if (last.kind !== 'deleted') refuseChange({ kind: 'still there' });
  // It locks the revision before the event, as every other transaction that changes items.
  const batches = await clearItems(transaction, [number]);
  const item = { number, name: '', version: last.version + 1 };
  await recordEvent(transaction, item, changeBy(author), { kind: 'removed' });
  await clearEmptyBatches(transaction, batches);
  await removeCopies(transaction, number, events.flatMap(allTextsOf));
}

/**
 * Clears the history of the items, which are deleted. Resolves to the batches that they belong to, for
 * `clearEmptyBatches`.
 */
export async function clearItems(
  transaction: KyselyTransaction,
  numbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const batches = new Set<number>();
  await lockPlaces(transaction);
  for (const piece of piecesOf(numbers)) {
    const locations = await findLocations(transaction, piece);
    const cleared = await transaction
      .updateTable('item_events')
      .set({ snapshot: null, changes: '{}', reason: '', item_name: '' })
      .where('item_number', 'in', piece)
      .returning('batch')
      .execute();
    for (const { batch } of cleared) if (batch !== null) batches.add(Number(batch));
    await transaction
      .updateTable('count_lines')
      .set({ name: '' })
      .where('item_number', 'in', piece)
      .execute();
    await transaction
      .updateTable('item_files')
      .set({ name: '', caption: '', removed_at: '' })
      .where('item_number', 'in', piece)
      .execute();
    await transaction.deleteFrom('item_sources').where('item_number', 'in', piece).execute();
    await forgetPlaces(transaction, locations, { isWhole: false });
  }
  return batches;
}

/** Where the deleted items were. */
async function findLocations(
  transaction: KyselyTransaction,
  numbers: readonly number[],
): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('item_events')
    .select(['changes', 'snapshot'])
    .where('item_number', 'in', numbers)
    .execute();
  const locations = rows.flatMap(({ changes, snapshot }) => [
    ...(parseChanges(changes).location ?? []),
    snapshot === null ? null : parseSnapshot(snapshot).location,
  ]);
  return locations.filter((location) => location !== null);
}

/** Newest first. */
async function readEvents(
  transaction: KyselyTransaction,
  number: number,
): Promise<readonly ItemEvent[]> {
  const rows = await selectEvents(transaction)
    .where('item_events.item_number', '=', number)
    .orderBy('item_events.id', 'desc')
    .execute();
  return rows.map(toEvent);
}

function textsOf(value: RecordedValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return value.map((one) => (typeof one === 'string' ? one : one.to));
}

function allTextsOf({ itemName, reason, changes, deleted }: ItemEvent): readonly string[] {
  const values: readonly RecordedValue[] = [
    ...recordedFields(changes).flatMap((name): readonly RecordedValue[] => changes[name] ?? []),
    ...(deleted === null ? [] : ([...ITEM_FIELDS, 'loans'] as const).map((name) => deleted[name])),
    ...Object.values(deleted?.own ?? {}),
  ];
  return [itemName, reason, ...values.flatMap(textsOf)];
}
