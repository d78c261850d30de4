/**
 * A batch is what one form or one imported file did to several items. Each change has its own event, which names
 * the batch. The row of the batch has the operation, and counts its events and those undone, so listing batches
 * reads no events.
 */
import type { Kysely, Selectable } from 'kysely';
import { shownName } from '../../accounts/display-name.ts';
import { nextNumber } from '../../database/counter.ts';
import type { Database, KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import type { Placeholders } from '../../database/statement.ts';

/** The ids of the fields and kinds that an import has made. */
export interface MadeDefinitions {
  readonly fields: readonly number[];
  readonly kinds: readonly number[];
}

export type BatchOperation =
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'tagged' | 'untagged'; readonly tag: string }
  | { readonly kind: 'lent'; readonly to: string; readonly until: string | null }
  /** Of one person, or all. */
  | { readonly kind: 'returned'; readonly from?: string }
  | { readonly kind: 'counted' }
  | { readonly kind: 'deleted' }
  | {
      readonly kind: 'renamed';
      readonly what: 'location' | 'tag';
      readonly from: string;
      readonly to: string;
    }
  /** Two kinds of things, two fields, or two choices of a field. */
  | {
      readonly kind: 'merged';
      readonly what: 'kind' | 'field' | 'choice';
      readonly from: string;
      readonly to: string;
    }
  /** The kind, or a field of the team's own; `to` is empty if the value was removed. */
  | { readonly kind: 'set'; readonly field: string; readonly to: string }
  /** The path of the first one, and how many there are. */
  | { readonly kind: 'places added'; readonly path: string; readonly places: number }
  /** Renamed or moved; it may have become part of the place that was there. */
  | {
      readonly kind: 'place changed';
      readonly from: string;
      readonly to: string;
      readonly isMerged: boolean;
    }
  | { readonly kind: 'place removed'; readonly path: string }
  | {
      readonly kind: 'place pictured';
      readonly path: string;
      readonly how: 'added' | 'replaced' | 'removed';
    }
  | ({ readonly kind: 'imported'; readonly file: string } & Partial<MadeDefinitions>)
  | { readonly kind: 'undone'; readonly undoes: number };

/** An operation in the history. Texts that were removed for ever are absent: see remove-values.ts. */
export type RecordedOperation = WithoutTexts<BatchOperation>;
type WithoutTexts<Operation> = Operation extends BatchOperation
  ? Pick<Operation, 'kind'> & Partial<Operation>
  : never;

export interface Batch {
  readonly id: number;
  readonly at: Date;
  readonly by: string | null;
  readonly operation: RecordedOperation;
  /** The number of its events, and of those that were undone. */
  readonly events: number;
  readonly undone: number;
  /** The id of its newest event: its place in the history. */
  readonly lastEvent: number;
}

/** How many items it changed: the change of a place is an event of its own. */
export function countItems({ operation, events }: Batch): number {
  return operation.kind.startsWith('place') ? events - 1 : events;
}

export interface Batches {
  /** Null for an unknown batch, and for one that has no event yet. */
  readonly find: (id: number) => Promise<Batch | null>;
}

export function createBatches({ statement }: Pick<Database, 'statement'>): Batches {
  const find = statement(
    (read, { id }: Placeholders<{ readonly id: number }>) =>
      selectBatches(read).where('batches.id', '=', id),
    toBatch,
  );
  return { find: async (id) => find.first({ id }) };
}

export function selectBatches(read: Kysely<Schema>) {
  return read
    .selectFrom('batches')
    .leftJoin('accounts', 'accounts.id', 'batches.account_id')
    .selectAll('batches')
    .select(shownName('accounts').as('by'))
    .where('last_event', 'is not', null);
}

type BatchRow = Selectable<Schema['batches']> & { readonly by: string | null };

export function toBatch({ id, at, by, kind, about, events, undone, ...row }: BatchRow): Batch {
  const operation = { ...JSON.parse(about), kind } as RecordedOperation;
  return { id, at: new Date(at), by, operation, events, undone, lastEvent: row.last_event ?? 0 };
}

/**
 * Begins a batch and resolves to its id. Call it after the items are locked: from then on, other transactions
 * that need an id wait for this one.
 */
export async function createBatch(
  transaction: KyselyTransaction,
  author: number,
  operation: BatchOperation,
): Promise<number> {
  const { kind, ...about } = operation;
  const id = await nextNumber(transaction, 'batches');
  await transaction
    .insertInto('batches')
    .values({
      ...{ id, kind, events: 0, undone: 0, last_event: null },
      at: new Date().toISOString(),
      account_id: author,
      about: JSON.stringify(about),
      undoes: operation.kind === 'undone' ? operation.undoes : null,
    })
    .execute();
  return id;
}

/** Notes what an import has made. */
export async function nameDefinitions(
  transaction: KyselyTransaction,
  id: number,
  made: MadeDefinitions,
): Promise<void> {
  const { about } = await transaction
    .selectFrom('batches')
    .select('about')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('batches')
    .set({ about: JSON.stringify({ ...JSON.parse(about), ...made }) })
    .where('id', '=', id)
    .execute();
}

/** Adds events that were written to the counts of the batch. */
export async function addToBatch(
  transaction: KyselyTransaction,
  id: number,
  count: number,
  lastEvent: number,
): Promise<void> {
  await transaction
    .updateTable('batches')
    .set((row) => ({ events: row('events', '+', count), last_event: lastEvent }))
    .where('id', '=', id)
    .execute();
}

/** Counts the events with these ids as undone, in the batches that they belong to. */
export async function countUndone(
  transaction: KyselyTransaction,
  ids: readonly number[],
): Promise<void> {
  const counts = await transaction
    .selectFrom('item_events')
    .select(({ fn }) => ['batch', fn.countAll<number>().as('count')])
    .where('id', 'in', ids)
    .where('batch', 'is not', null)
    .groupBy('batch')
    .execute();
  for (const { batch, count } of counts) {
    await transaction
      .updateTable('batches')
      .set((row) => ({ undone: row('undone', '+', count) }))
      .where('id', '=', Number(batch))
      .execute();
  }
}
