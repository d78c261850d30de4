/**
 * The history of all items, newest first. A batch is one line. Single events and batches are read by their indexes
 * and merged, so a large batch costs no more than a small one. For a filter by items, the events of batches are lines
 * of their own, because the row of a batch does not say which items it changed.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import { type Batch, selectBatches, toBatch } from '../events/batches.ts';
import { type ItemEvent, selectEvents, toEvent } from '../events/item-events.ts';
import { BATCH_KINDS, EVENT_KINDS, type HistoryKind } from './history-kinds.ts';

export interface HistoryFilter {
  /** The id of the account. */
  readonly person: number | null;
  readonly kind: HistoryKind | null;
  /** The time of the first event, and the time before which the last one was. */
  readonly from: Date | null;
  readonly until: Date | null;
  /** The numbers of items; null for all items. */
  readonly items: readonly number[] | null;
}

/** A place between two lines. Ids alone are in another order than times: see 0019-whole-history.ts. */
export interface HistoryPlace {
  /** In ISO 8601. */
  readonly at: string;
  readonly id: number;
}

/** The id is that of the newest event. */
export type HistoryLine = { readonly id: number; readonly at: Date } & (
  | { readonly event: ItemEvent }
  | { readonly batch: Batch }
);

export interface HistoryLines {
  readonly lines: readonly HistoryLine[];
  /** The place that the next page begins after; null for the last page. */
  readonly next: HistoryPlace | null;
}

export type TeamHistory = (
  size: number,
  filter: HistoryFilter,
  after: HistoryPlace | null,
) => Promise<HistoryLines>;

export function createTeamHistory({ slowRead }: Pick<Database, 'slowRead'>): TeamHistory {
  return async (size, filter, after) => {
    const eventKinds = kindsOf(EVENT_KINDS, filter.kind);
    const batchKinds = kindsOf(BATCH_KINDS, filter.kind);
    const { items } = filter;
    const events = selectEvents(slowRead)
      .where(matches('item_events', 'id', filter, after))
      .$if(items === null, (query) => query.where('item_events.batch', 'is', null))
      .$if(items !== null, (query) => query.where('item_events.item_number', 'in', items ?? []))
      .$if(filter.kind !== null, (query) => query.where('item_events.kind', 'in', eventKinds))
      // The condition of the index by kind.
      .$if(filter.kind !== null && !eventKinds.includes('added'), (query) =>
        query.where('item_events.kind', '<>', 'added'),
      )
      .orderBy('item_events.at', 'desc')
      .orderBy('item_events.id', 'desc')
      .limit(size + 1);
    const batches = selectBatches(slowRead)
      .where(matches('batches', 'last_event', filter, after))
      .$if(filter.kind !== null, (query) => query.where('batches.kind', 'in', batchKinds))
      .orderBy('batches.at', 'desc')
      .orderBy('batches.last_event', 'desc')
      .limit(size + 1);
    // PostgreSQL accepts no empty list.
    const [single, several] = await Promise.all([
      items?.length === 0 ? [] : events.execute(),
      items !== null || batchKinds.length === 0 ? [] : batches.execute(),
    ]);
    const all: readonly HistoryLine[] = [
      ...single.map(toEvent).map((event) => ({ id: event.id, at: event.at, event })),
      ...several.map(toBatch).map((batch) => ({ id: batch.lastEvent, at: batch.at, batch })),
    ].sort((one, other) => other.at.getTime() - one.at.getTime() || other.id - one.id);
    const lines = all.slice(0, size);
    const last = lines.at(-1);
    const hasMore = all.length > size && last !== undefined;
    return { lines, next: hasMore ? { at: last.at.toISOString(), id: last.id } : null };
  };
}

function matches(
  table: 'item_events' | 'batches',
  id: string,
  { person, from, until }: HistoryFilter,
  after: HistoryPlace | null,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const conditions = [
    person === null ? null : sql`${column('account_id')} = ${person}`,
    from === null ? null : sql`${column('at')} >= ${from.toISOString()}`,
    until === null ? null : sql`${column('at')} < ${until.toISOString()}`,
    after === null ? null : sql`(${column('at')}, ${column(id)}) < (${after.at}, ${after.id})`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

/** All kinds without a filter. */
function kindsOf<Kind extends string>(
  kinds: Readonly<Record<Kind, HistoryKind>>,
  sought: HistoryKind | null,
): readonly Kind[] {
  const all = Object.keys(kinds) as Kind[];
  return all.filter((kind) => sought === null || kinds[kind] === sought);
}
