/**
 * The history of the items: one event per change, additions too, written in the transaction of the change and read
 * newest first. A page is named by the event it begins before, so a page far back costs the same as the first.
 */
import { type Kysely, type Selectable, sql } from 'kysely';
import { shownName } from '../../accounts/display-name.ts';
import { nextNumber } from '../../database/counter.ts';
import type { Database, KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import type { Placeholders } from '../../database/statement.ts';
import { type Authorship, parseSnapshot, type StoredItem } from '../stored-item.ts';
import { addToBatch, countUndone } from './batches.ts';
import { nameChanges } from './change-names.ts';
import { type Changes, parseChanges } from './item-changes.ts';

export interface ItemEvent {
  readonly id: number;
  readonly number: number;
  /** The name of the item after the change; empty if it was removed for ever. */
  readonly itemName: string;
  /** The version of the item after the change. */
  readonly version: number;
  readonly at: Date;
  readonly by: string | null;
  readonly kind: Schema['item_events']['kind'];
  /** Why, in the words of the user. Of a `value removed`: the kind of value, one of `REMOVABLE`. */
  readonly reason: string;
  /** The event that this one undoes. */
  readonly undoes: number | null;
  /** The event that undoes this one. */
  readonly undoneBy: number | null;
  /** The batch that the change belongs to; see batches.ts. */
  readonly batch: number | null;
  readonly changes: Changes;
  /** The deleted item, while it can be restored. */
  readonly deleted: StoredItem | null;
}

export interface NewEvent {
  readonly kind: ItemEvent['kind'];
  readonly changes?: Changes;
  readonly reason?: string;
  readonly undoes?: number | null;
  readonly snapshot?: StoredItem;
}

export interface EventPage {
  readonly events: readonly ItemEvent[];
  /** The id to begin the next page before; null for the last page. */
  readonly next: number | null;
}

export interface History {
  /** Events of an item, newest first, from before the event with the id `before`. */
  readonly ofItem: (number: number, size: number, before?: number) => Promise<EventPage>;
  readonly ofBatch: (batch: number, size: number, before?: number) => Promise<EventPage>;
  /** The deleted items that can be restored. */
  readonly bin: (size: number, before?: number) => Promise<EventPage>;
  /** The numbers of deleted items that can be restored and have the text in their names, the last deleted first. */
  readonly findDeleted: (text: string, size: number) => Promise<readonly number[]>;
  readonly find: (number: number, id: number) => Promise<ItemEvent | null>;
  /** How the item was deleted, or removed for ever; null if it is there. */
  readonly findDeletion: (number: number) => Promise<ItemEvent | null>;
}

type Page = { readonly size: number; readonly before: number };

export function createHistory({ statement }: Database): History {
  const select = (read: Kysely<Schema>, { size, before }: Placeholders<Page>) =>
    selectEvents(read)
      .where('item_events.id', '<', before)
      .orderBy('item_events.id', 'desc')
      .limit(size);
  const ofItem = statement(
    (read, { number, size, before }: Placeholders<Page & { readonly number: number }>) =>
      select(read, { size, before }).where('item_events.item_number', '=', number),
    toEvent,
  );
  const ofBatch = statement(
    (read, { batch, size, before }: Placeholders<Page & { readonly batch: string }>) =>
      select(read, { size, before }).where('item_events.batch', '=', batch),
    toEvent,
  );
  const inBin = statement(
    (read, page: Placeholders<Page>) =>
      select(read, page).where('item_events.snapshot', 'is not', null),
    toEvent,
  );
  const find = statement(
    (read, { number, id }: Placeholders<{ readonly number: number; readonly id: number }>) =>
      selectEvents(read)
        .where('item_events.id', '=', id)
        .where('item_events.item_number', '=', number),
    toEvent,
  );
  const findDeleted = statement(
    (read, { pattern, size }: Placeholders<{ readonly pattern: string; readonly size: number }>) =>
      read
        .selectFrom('item_events')
        .select('item_number as number')
        .where('snapshot', 'is not', null)
        .where(sql<boolean>`lower(item_name) like ${pattern} escape '!'`)
        .orderBy('id', 'desc')
        .limit(size),
  );
  return {
    async findDeleted(text, size) {
      const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
      return (await findDeleted.all({ pattern, size })).map(({ number }) => number);
    },
    ofItem: async (number, size, before = NEWEST) =>
      toPage(await ofItem.all({ number, size: size + 1, before }), size),
    ofBatch: async (batch, size, before = NEWEST) =>
      toPage(await ofBatch.all({ batch: String(batch), size: size + 1, before }), size),
    bin: async (size, before = NEWEST) => toPage(await inBin.all({ size: size + 1, before }), size),
    find: async (number, id) => find.first({ number, id }),
    async findDeletion(number) {
      const last = await ofItem.first({ number, size: 1, before: NEWEST });
      return last?.kind === 'deleted' || last?.kind === 'removed' ? last : null;
    },
  };
}

/** Higher than any id. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

function toPage(events: readonly ItemEvent[], size: number): EventPage {
  const shown = events.slice(0, size);
  return { events: shown, next: events.length > size ? (shown.at(-1)?.id ?? null) : null };
}

export function selectEvents(read: Kysely<Schema>) {
  return read
    .selectFrom('item_events')
    .leftJoin('accounts', 'accounts.id', 'item_events.account_id')
    .leftJoin('item_events as undo', 'undo.undoes', 'item_events.id')
    .selectAll('item_events')
    .select([shownName('accounts').as('by'), 'undo.id as undoneBy']);
}

interface EventRow extends Selectable<Schema['item_events']> {
  readonly by: string | null;
  readonly undoneBy: number | null;
}

export function toEvent(row: EventRow): ItemEvent {
  const { id, version, by, kind, reason, undoes, undoneBy, snapshot } = row;
  return {
    ...{ id, version, by, kind, reason, undoes, undoneBy },
    number: row.item_number,
    batch: row.batch === null ? null : Number(row.batch),
    itemName: row.item_name,
    at: new Date(row.at),
    changes: parseChanges(row.changes),
    deleted: snapshot === null ? null : parseSnapshot(snapshot),
  };
}

/** The item after its change. */
type Changed = { readonly number: number; readonly name: string; readonly version: number };

/**
 * Writes the event of a change. Call it after the change: every change waits until the transactions of earlier
 * changes have ended, so the ids are in the order of the commits. Resolves to the id.
 */
export function recordEvent(
  transaction: KyselyTransaction,
  item: Changed,
  change: Authorship,
  event: NewEvent,
): Promise<number> {
  return recordEvents(transaction, change, [{ ...event, item }]);
}

/** The events of several changes, at most a few hundred. Resolves to the id of the last. */
export async function recordEvents(
  transaction: KyselyTransaction,
  { author, at, batch = null }: Authorship,
  events: readonly (NewEvent & { readonly item: Changed })[],
): Promise<number> {
  const first = await nextNumber(transaction, 'item events', events.length);
  const named = await nameChanges(
    transaction,
    events.map(({ changes = {} }) => changes),
  );
  const rows = events.map(({ item, kind, reason = '', undoes = null, snapshot }, index) => ({
    ...{ id: first + index, at, kind, reason, undoes },
    item_number: item.number,
    item_name: item.name,
    version: item.version,
    account_id: author,
    batch: batch === null ? null : String(batch),
    changes: JSON.stringify(named[index]),
    snapshot: snapshot === undefined ? null : JSON.stringify(snapshot),
  }));
  await transaction.insertInto('item_events').values(rows).execute();
  const last = first + events.length - 1;
  if (batch !== null) await addToBatch(transaction, batch, events.length, last);
  const undone = events.flatMap(({ undoes }) => undoes ?? []);
  if (undone.length > 0) await countUndone(transaction, undone);
  return last;
}
