/**
 * Undoes a batch: each of its changes by the rules of a single undo, in one transaction and as a batch of its
 * own. A change that cannot be undone is left, with the reason, and does not stop the others.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import {
  type ItemChange,
  lockItem,
  lockItems,
  type StoredItem,
  updateItems,
} from '../items/stored-item.ts';
import { createBatch } from './batches.ts';
import { changeBy, refusalOf, undoEvent, undoOf } from './change-items.ts';
import { ChangeRefused, type Refusal } from './change-refused.ts';
import { compareItems } from './item-changes.ts';
import { type ItemEvent, recordEvents, selectEvents, toEvent } from './item-events.ts';

/** Changes that one form undoes, the newest first. Other writes wait for it. */
export const MAX_UNDONE = 500;
/** Changes in one statement; in between, the event loop does other things. */
const PIECE = 200;

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
  /** How many older changes are left for another form. */
  readonly rest: number;
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
 * Throws a `ChangeRefused` when there is no such batch or nothing in it is left to undo, and a `BatchRefused`
 * when no change of it can be undone.
 */
export async function undoBatch(
  transaction: Writing,
  batch: number,
  author: number,
  limit: number = MAX_UNDONE,
): Promise<UndoneBatch> {
  const open = await findOpen(transaction, batch);
  if (open.length === 0) throw await nothingOpen(transaction, batch);
  const left: LeftEvent[] = [];
  for (let start = 0; start < open.length; start += limit) {
    const chosen = open.slice(start, start + limit);
    const items = await lockAll(transaction, chosen);
    const events = await readEvents(transaction, chosen);
    const refused = events.flatMap((event) => {
      const refusal = refusalOf(items.get(event.number) ?? null, event);
      return refusal === null ? [] : [{ event, refusal }];
    });
    if (refused.length === events.length) {
      left.push(...refused);
      continue;
    }
    const undoing = await createBatch(transaction, author, { kind: 'undone', undoes: batch });
    let undone = 0;
    for (let at = 0; at < events.length; at += PIECE) {
      const piece = events.slice(at, at + PIECE);
      const by = { events: piece, items, author, batch: undoing };
      const stays = await undoEvents(transaction, by);
      undone += piece.length - stays.length;
      left.push(...stays);
      await nextTurn();
    }
    return { batch: undoing, undone, left, rest: open.length - start - chosen.length };
  }
  throw new BatchRefused(left);
}

type OpenEvent = { readonly id: number; readonly number: number };

/** All locks come before the first change, in one order: see `lockItems`. */
async function lockAll(transaction: Writing, events: readonly OpenEvent[]) {
  const numbers = [...new Set(events.map(({ number }) => number))].sort((one, two) => one - two);
  const items = await lockItems(transaction, numbers);
  const ids = events.map(({ id }) => id).reverse();
  for (let start = 0; start < ids.length; start += PIECE) {
    const piece = ids.slice(start, start + PIECE);
    await engineOf(transaction).lockRows(transaction, 'item_events', 'id', piece);
  }
  return items;
}

/** Those that were not undone, the newest first. */
async function findOpen(transaction: Writing, batch: number) {
  return transaction
    .selectFrom('item_events')
    .leftJoin('item_events as undo', 'undo.undoes', 'item_events.id')
    .select(['item_events.id', 'item_events.item_number as number'])
    .where('item_events.batch', '=', String(batch))
    .where('undo.id', 'is', null)
    .orderBy('item_events.id', 'desc')
    .execute();
}

async function nothingOpen(transaction: Writing, batch: number): Promise<ChangeRefused> {
  const exists = await transaction
    .selectFrom('batches')
    .select('id')
    .where('id', '=', batch)
    .executeTakeFirst();
  return new ChangeRefused({ kind: exists === undefined ? 'gone' : 'already undone' });
}

/** Read again after their items are locked: another form may have undone some of them meanwhile. */
async function readEvents(transaction: Writing, open: readonly OpenEvent[]) {
  const events: ItemEvent[] = [];
  for (let start = 0; start < open.length; start += PIECE) {
    const ids = open.slice(start, start + PIECE).map(({ id }) => id);
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
  /** As they are now; follows the changes. */
  readonly items: Map<number, StoredItem>;
  readonly author: number;
  readonly batch: number;
}

/** Resolves to what could not be undone. */
async function undoEvents(
  transaction: Writing,
  { events, items, author, batch }: Undoing,
): Promise<readonly LeftEvent[]> {
  const left: LeftEvent[] = [];
  const by = changeBy(author, batch);
  let pending: (ItemChange & { readonly event: ItemEvent })[] = [];
  const write = async () => {
    if (pending.length === 0) return;
    await updateItems(transaction, pending, by);
    const undoing = pending.map(({ before, after, event: { kind, id } }) => ({
      ...{ item: after, kind, changes: compareItems(before, after), undoes: id },
    }));
    pending = [];
    await recordEvents(transaction, by, undoing);
  };
  for (const event of events) {
    const { number } = event;
    if (event.undoneBy !== null) {
      left.push({ event, refusal: { kind: 'already undone' } });
      continue;
    }
    const before = items.get(number);
    if (event.kind === 'changed' || event.kind === 'counted') {
      const undone = before === undefined ? MISSING : undoOf(before, event);
      if ('refusal' in undone || before === undefined) {
        left.push({ event, refusal: 'refusal' in undone ? undone.refusal : MISSING.refusal });
        continue;
      }
      // A file may have changed an item twice.
      if (pending.some((one) => one.event.number === number)) await write();
      const after = { ...before, ...undone.after, version: before.version + 1 };
      items.set(number, after);
      pending.push({ before, after, event });
      continue;
    }
    await write();
    const refusal = await undoAlone(transaction, event, author, batch);
    if (refusal !== null) left.push({ event, refusal });
    const now = await lockItem(transaction, number);
    if (now === null) items.delete(number);
    else items.set(number, now);
  }
  await write();
  return left;
}

const MISSING = { refusal: { kind: 'missing' } } as const;

/** A refusal comes before anything is written, so the transaction goes on. */
async function undoAlone(
  transaction: Writing,
  { number, id }: ItemEvent,
  author: number,
  batch: number,
): Promise<Refusal | null> {
  try {
    await undoEvent(transaction, number, id, author, batch);
    return null;
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    return error.refusal;
  }
}
