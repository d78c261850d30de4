/**
 * Writes changes of places: a path, whether it is kept, a merge and its end. Each notes in `place_changes` what the
 * place was, under a batch of the history, which undoes it (undo-places.ts). The things in it follow: move-things.ts.
 *
 * A change of a path is one statement for all places inside, however many. Lengths are taken by the database, which
 * counts characters.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { nextNumber } from '../../database/counter.ts';
import type { KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { toSortKey } from '../../site/fold-text.ts';
import { addToBatch, type BatchOperation, createBatch } from '../events/batches.ts';
import { forgetKnown } from '../item-vocabulary.ts';
import { isWithin, levelsOf, makePlaces } from '../place.ts';

export type PlaceRow = Selectable<Schema['places']>;

export async function findRow(
  transaction: KyselyTransaction,
  id: number,
): Promise<PlaceRow | undefined> {
  return transaction.selectFrom('places').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findRowByKey(
  transaction: KyselyTransaction,
  key: string,
): Promise<PlaceRow | undefined> {
  return transaction.selectFrom('places').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Begins a batch for a change of places, which is its first event. Call it after items and places are locked. */
export async function createPlaceBatch(
  transaction: KyselyTransaction,
  author: number,
  operation: BatchOperation,
): Promise<number> {
  const batch = await createBatch(transaction, author, operation);
  await countPlaceChange(transaction, batch);
  return batch;
}

/** It has no event of an item, so its place in the history is after the last one. */
export async function countPlaceChange(
  transaction: KyselyTransaction,
  batch: number,
): Promise<void> {
  await addToBatch(transaction, batch, 1, (await nextNumber(transaction, 'item events', 0)) - 1);
}

/**
 * Gives the place another path, with all that is inside it. If there is a place with that path, the two become one, and
 * so do those inside them that have the same names. Resolves to the id of the place that is there now.
 */
export async function movePlace(
  transaction: KyselyTransaction,
  place: PlaceRow & { readonly key: string },
  path: string,
  batch: number,
): Promise<number> {
  const levels = levelsOf(path);
  const [level, outside] = [levels.at(-1), levels.at(-2)];
  if (level === undefined) throw new Error('Cannot move a place: its new path is empty.');
  if (outside !== undefined) await makePlaces(transaction, [outside.path]);
  const parent = outside === undefined ? undefined : await findRowByKey(transaction, outside.key);
  const whole = parent === undefined ? level.name : `${parent.path}, ${level.name}`;
  const target = await findRowByKey(transaction, level.key);
  const merged = target === undefined || target.id === place.id ? null : target;
  const own = sql`${isWithin(sql`places.key`, sql`${place.key}`)}`;
  await noteChanges(transaction, batch, merged === null ? sql`id = ${place.id}` : own);
  await sql`update counts set key = ${moved('counts.key', place.key, level.key)}
    where field = 'location' and ${isWithin(sql`key`, sql`${place.key}`)}`.execute(transaction);
  if (merged !== null) await mergeInto(transaction, { place, target: merged, batch, own });
  await sql`update places set version = places.version + 1,
      key = ${moved('places.key', place.key, level.key)},
      path = ${moved('places.path', place.path, merged?.path ?? whole)}
    where ${own}`.execute(transaction);
  if (merged === null)
    await transaction
      .updateTable('places')
      .set({ name: level.name, name_key: toSortKey(level.name), parent: parent?.id ?? null })
      .where('id', '=', place.id)
      .execute();
  else await adopt(transaction, level.key);
  await nameAlias(transaction, place, merged?.id ?? place.id, level.key);
  return merged?.id ?? place.id;
}

/** The text with another beginning. */
function moved(column: string, from: string, to: string): RawBuilder<string> {
  return sql`cast(${to} as text) || substr(${sql.ref(column)}, length(cast(${from} as text)) + 1)`;
}

async function noteChanges(
  transaction: KyselyTransaction,
  batch: number,
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`insert into place_changes
      (batch, place, parent, path, key, kept, merged_into, version)
    select ${sql.lit(batch)}, id, parent, path, key, kept, merged_into, version + 1
    from places where ${which} on conflict (batch, place) do nothing`.execute(transaction);
}

interface Merge {
  readonly place: PlaceRow & { readonly key: string };
  readonly target: PlaceRow;
  readonly batch: number;
  /** The places that are merged or move along. */
  readonly own: RawBuilder<unknown>;
}

/** Those that have a counterpart become part of it. */
async function mergeInto(
  transaction: KyselyTransaction,
  { place, target, batch, own }: Merge,
): Promise<void> {
  await noteChanges(transaction, batch, sql`id = ${target.id}`);
  await sql`update places set version = version + 1 where id = ${target.id}`.execute(transaction);
  const counterpart = sql`twin.key = ${moved('places.key', place.key, target.key ?? '')}`;
  await sql`update places set merged_into = twin.id, key = null, version = places.version + 1
    from places as twin where ${own} and ${counterpart}`.execute(transaction);
  const merged = sql`part.merged_into is not null`;
  await sql`update places set kept = 1 from places as part
    where part.merged_into = places.id and part.kept = 1
      and part.id in (select place from place_changes where batch = ${batch})`.execute(transaction);
  await sql`update places set merged_into = part.merged_into from places as part
    where places.merged_into = part.id and ${merged}`.execute(transaction);
  await sql`update place_aliases set place = part.merged_into from places as part
    where place_aliases.place = part.id and ${merged}`.execute(transaction);
}

/** Places inside a place that was merged are inside the other one now, in its spelling. */
async function adopt(transaction: KyselyTransaction, key: string): Promise<void> {
  const within = isWithin(sql`places.key`, sql`${key}`);
  await sql`update places set parent = part.merged_into from places as part
    where ${within} and places.parent = part.id and part.merged_into is not null`.execute(
    transaction,
  );
  for (;;) {
    const { numAffectedRows } = await sql`update places
      set path = outside.path || ', ' || places.name from places as outside
      where ${within} and places.parent = outside.id
        and places.path <> outside.path || ', ' || places.name`.execute(transaction);
    if (numAffectedRows === undefined || numAffectedRows === 0n) return;
  }
}

/** The earlier path leads to the place from now on. A path that a place has now is no alias. */
async function nameAlias(
  transaction: KyselyTransaction,
  earlier: PlaceRow & { readonly key: string },
  place: number,
  key: string,
): Promise<void> {
  await sql`delete from place_aliases where ${isWithin(sql`key`, sql`${key}`)}
    and exists (select 1 from places where places.key = place_aliases.key)`.execute(transaction);
  if (earlier.key !== key)
    await transaction
      .insertInto('place_aliases')
      .values({ key: earlier.key, path: earlier.path, place })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ path: earlier.path, place }))
      .execute();
  await forgetKnown(transaction);
}

/** Whether the places are shown although nothing is in them. */
export async function keepPlaces(
  transaction: KyselyTransaction,
  ids: readonly number[],
  kept: boolean,
  batch: number,
): Promise<void> {
  const which = sql`id in (${sql.join(ids)})`;
  await noteChanges(transaction, batch, which);
  await sql`update places set kept = ${sql.lit(kept ? 1 : 0)}, version = version + 1
    where ${which}`.execute(transaction);
}

/**
 * Parts the places that the batch has merged, but those that were changed since. The caller has found that the path of
 * the place is free.
 */
export async function partPlaces(
  transaction: KyselyTransaction,
  merge: number,
  batch: number,
): Promise<void> {
  const noted = sql`was.batch = ${sql.lit(merge)} and was.place = places.id
    and was.version = places.version
    and not exists (select 1 from places as other where other.key = was.key and other.id <> places.id)`;
  await noteChanges(
    transaction,
    batch,
    sql`exists (select 1 from place_changes as was where ${noted})`,
  );
  await sql`delete from place_aliases where key in
    (select was.key from place_changes as was, places where ${noted})`.execute(transaction);
  await sql`update places set parent = was.parent, path = was.path, key = was.key,
      kept = was.kept, merged_into = was.merged_into, version = places.version + 1
    from place_changes as was where ${noted}`.execute(transaction);
  await forgetKnown(transaction);
}
