/**
 * Undoes a batch: each of its changes by the rules of a single undo. The undos are a batch too. A change that
 * cannot be undone is left, with the reason, and does not stop the others.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, isSqlite, type KyselyTransaction } from '../../database/kysely.ts';
import { lockRows } from '../../database/locks.ts';
import {
  bringBackItems,
  type Deletion,
  type Removal,
  removeItems,
} from '../delete/delete-items.ts';
import { createBatch } from '../events/batches.ts';
import { changeBy } from '../events/change-item.ts';
import { ChangeRefused, type Refusal, toRefusal } from '../events/change-refused.ts';
import { compareStates } from '../events/item-changes.ts';
import {
  type ItemEvent,
  NEWEST,
  recordEvents,
  selectEvents,
  toEvent,
} from '../events/item-events.ts';
import { undoFiles } from '../files/change-files.ts';
import { inPieces } from '../in-pieces.ts';
import { piecesOf } from '../pieces.ts';
import { undoPlaces } from '../places/undo-places.ts';
import { type ItemChange, lockItems, type StoredItem, updateItems } from '../stored-item.ts';
import { refusalOf, undoOf } from './undo-event.ts';

/** Changes per transaction, newest first. On SQLite all other writes wait for it. */
const MAX_UNDONE = { sqlite: 200, postgres: 500 };

export interface LeftEvent {
  readonly event: ItemEvent;
  readonly refusal: Refusal;
}

export interface UndoneBatch {
  /** The new batch, which consists of the undos. */
  readonly batch: number;
  readonly undone: number;
  /** What could not be undone. */
  readonly left: readonly LeftEvent[];
  /** How many older changes are left. */
  readonly rest: number;
  /** The oldest event that was examined: the next transaction continues before it. */
  readonly oldest: number;
  /** The place that got another path, so that what was put there since has to follow; null for none. */
  readonly place: number | null;
}

/** None of the changes could be undone. Throwing it rolls the transaction back. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
  readonly left: readonly LeftEvent[];

  constructor(left: readonly LeftEvent[]) {
    super('The batch was not undone: all of its items were changed since.');
    this.left = left;
  }
}

/**
 * Undoes up to `limit` of the newest changes, or continues where `earlier` ended; the result adds up both. Rejects
 * with a `ChangeRefused` if there is no such batch or all of it was undone, and with a `BatchRefused` if no change of
 * it can be undone.
 */
export async function undoBatch(
  transaction: KyselyTransaction,
  batch: number,
  author: number,
  limit: number = MAX_UNDONE[isSqlite(transaction) ? 'sqlite' : 'postgres'],
  earlier: UndoneBatch | null = null,
): Promise<UndoneBatch> {
  const left: LeftEvent[] = [...(earlier?.left ?? [])];
  let oldest = earlier?.oldest ?? NEWEST;
  let begun = earlier;
  for (let isFirst = earlier === null; ; isFirst = false) {
    const open = await findOpen(transaction, batch, oldest, limit);
    const items = await lockAll(transaction, open);
    if (isFirst) begun = await beginWithPlaces(transaction, batch, author);
    const last = open.at(-1);
    if (last === undefined) break;
    oldest = last.id;
    const events = await readEvents(transaction, open);
    const refused = events.flatMap((event) => {
      const refusal = refusalOf(items.get(event.number) ?? null, event);
      return refusal === null ? [] : [{ event, refusal }];
    });
    if (refused.length === events.length) {
      left.push(...refused);
      continue;
    }
    const operation = { kind: 'undone', undoes: batch } as const;
    const undoing = begun?.batch ?? (await createBatch(transaction, author, operation));
    let undone = begun?.undone ?? 0;
    for (const piece of piecesOf(events)) {
      const by = { events: piece, items, author, batch: undoing };
      const stays = await undoEvents(transaction, by);
      undone += piece.length - stays.length;
      left.push(...stays);
      await nextTurn();
    }
    const rest = open.length < limit ? 0 : await countRest(transaction, batch, left);
    return { batch: undoing, undone, left, rest, oldest, place: begun?.place ?? null };
  }
  if (begun !== null) return { ...begun, left, rest: 0 };
  if (left.length === 0) throw await nothingOpen(transaction, batch);
  throw new BatchRefused(left);
}

/** What the batch has done to places is its first change. */
async function beginWithPlaces(
  transaction: KyselyTransaction,
  batch: number,
  author: number,
): Promise<UndoneBatch | null> {
  const undone = await undoPlaces(transaction, batch, author);
  return undone === null ? null : { ...undone, undone: 1, left: [], rest: 0, oldest: NEWEST };
}

/** Continues what `done` has begun, in several transactions, so that other writes run in between. */
export type UndoRest = (batch: number, author: number, done: UndoneBatch) => Promise<UndoneBatch>;

export function createUndoRest({ write }: Pick<Database, 'write'>, maxTime?: number): UndoRest {
  return (batch, author, begun) =>
    inPieces(
      begun,
      async (done) =>
        done.rest > 0
          ? write((transaction) => undoBatch(transaction, batch, author, undefined, done))
          : null,
      maxTime,
    );
}

type OpenEvent = { readonly id: number; readonly number: number };

/** Takes all locks before the first change, in one order: see `lockItems`. */
async function lockAll(transaction: KyselyTransaction, events: readonly OpenEvent[]) {
  const items = await lockItems(
    transaction,
    events.map(({ number }) => number),
  );
  const ids = events.map(({ id }) => id).reverse();
  for (const piece of piecesOf(ids)) await lockRows(transaction, 'item_events', piece);
  return items;
}

/** The events that were not undone, newest first. */
async function findOpen(
  transaction: KyselyTransaction,
  batch: number,
  before: number,
  limit: number,
) {
  return transaction
    .selectFrom('item_events')
    .leftJoin('item_events as undo', 'undo.undoes', 'item_events.id')
    .select(['item_events.id', 'item_events.item_number as number'])
    .where('item_events.batch', '=', String(batch))
    .where('item_events.id', '<', before)
    .where('undo.id', 'is', null)
    .orderBy('item_events.id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts without reading the events: all that is not undone, minus what was left. */
async function countRest(
  transaction: KyselyTransaction,
  batch: number,
  left: readonly LeftEvent[],
): Promise<number> {
  const { events, undone } = await transaction
    .selectFrom('batches')
    .select(['events', 'undone'])
    .where('id', '=', batch)
    .executeTakeFirstOrThrow();
  const stays = left.filter(({ refusal }) => refusal.kind !== 'already undone');
  return events - undone - stays.length;
}

async function nothingOpen(transaction: KyselyTransaction, batch: number): Promise<ChangeRefused> {
  const exists = await transaction
    .selectFrom('batches')
    .select('id')
    .where('id', '=', batch)
    .executeTakeFirst();
  return new ChangeRefused({ kind: exists === undefined ? 'gone' : 'already undone' });
}

/** Reads the events again under the locks: another form may have undone some of them. */
async function readEvents(transaction: KyselyTransaction, open: readonly OpenEvent[]) {
  const events: ItemEvent[] = [];
  for (const piece of piecesOf(open)) {
    const ids = piece.map(({ id }) => id);
    const rows = await selectEvents(transaction)
      .where('item_events.id', 'in', ids)
      .orderBy('item_events.id', 'desc')
      .execute();
    events.push(...rows.map(toEvent));
  }
  return events;
}

interface Undoing {
  readonly events: readonly ItemEvent[];
  /** The current items. Updated as changes are undone. */
  readonly items: Map<number, StoredItem>;
  readonly author: number;
  readonly batch: number;
}

/** Resolves to what could not be undone. */
async function undoEvents(
  transaction: KyselyTransaction,
  { events, items, author, batch }: Undoing,
): Promise<readonly LeftEvent[]> {
  const left: LeftEvent[] = [];
  let pending = createPending();
  const write = async () => {
    await writePending(transaction, pending, author, batch);
    pending = createPending();
  };
  for (const event of events) {
    const { number, id } = event;
    // The batch of an imported file may change an item twice.
    if (pending.numbers.has(number)) await write();
    const before = items.get(number);
    const refusal = refusalOf(before ?? null, event);
    if (refusal !== null) {
      left.push({ event, refusal });
      continue;
    }
    if (before !== undefined && event.changes.files !== undefined) {
      try {
        await undoFiles(transaction, before, event.changes.files, { author, undoes: id, batch });
        items.set(number, { ...before, version: before.version + 1 });
      } catch (error) {
        left.push({ event, refusal: toRefusal(error) });
      }
      continue;
    }
    const after = addUndo(pending, before, event);
    if (after === null) items.delete(number);
    else items.set(number, after);
  }
  await write();
  return left;
}

/** What is still to be written, at most one change per item. */
function createPending() {
  return {
    numbers: new Set<number>(),
    changes: [] as (ItemChange & { readonly event: ItemEvent })[],
    removals: [] as Removal[],
    deletions: [] as Deletion[],
  };
}

/** The item as it is after the undo; null if there is none. */
function addUndo(
  { numbers, changes, removals, deletions }: ReturnType<typeof createPending>,
  before: StoredItem | undefined,
  event: ItemEvent,
): StoredItem | null {
  const { id, kind, deleted } = event;
  numbers.add(event.number);
  if (deleted !== null) {
    deletions.push({ id, deleted });
    return { ...deleted, version: deleted.version + 2 };
  }
  if (before === undefined) return null;
  if (kind === 'added' || kind === 'restored') {
    removals.push({ item: before, undoes: id });
    return null;
  }
  const undone = undoOf(before, event);
  const state = 'after' in undone ? undone.after : before;
  const after = { ...before, ...state, version: before.version + 1 };
  changes.push({ before, after, event });
  return after;
}

async function writePending(
  transaction: KyselyTransaction,
  { changes, removals, deletions }: ReturnType<typeof createPending>,
  author: number,
  batch: number,
): Promise<void> {
  const by = changeBy(author, batch);
  await updateItems(transaction, changes, by);
  const undoing = changes.map(({ before, after, event: { kind, id } }) => ({
    ...{ item: after, kind, changes: compareStates(before, after), undoes: id },
  }));
  if (undoing.length > 0) await recordEvents(transaction, by, undoing);
  await removeItems(transaction, removals, author, batch);
  await bringBackItems(transaction, deletions, author, batch);
}
