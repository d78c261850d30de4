/**
 * Undoes what a batch has done to places: a place gets its earlier path back and is kept or not as before, places that
 * were merged part again, and a place has the picture of before. What is in them follows: the events of the batch are
 * undone one by one, and what was put there since moves along (move-things.ts).
 */
import { type Selectable, sql } from 'kysely';
import type { KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { createBatch } from '../events/batches.ts';
import { refuseChange } from '../events/change-item.ts';
import { lockPlaces } from '../place.ts';
import {
  countPlaceChange,
  findRow,
  findRowByKey,
  keepPlaces,
  movePlace,
  type PlaceRow,
  partPlaces,
} from './change-places.ts';
import { undoPicture } from './place-picture.ts';

export interface UndonePlaces {
  /** The batch of the undo, which has one event by now. */
  readonly batch: number;
  /** The place whose path has changed, so that what is left in it has to follow. */
  readonly place: number | null;
}

/**
 * Null if the batch has changed no places, or these are as before already. Throws a `ChangeRefused` if they were
 * changed since. Call it after the items of the batch are locked.
 */
export async function undoPlaces(
  transaction: KyselyTransaction,
  batch: number,
  author: number,
): Promise<UndonePlaces | null> {
  const noted = await transaction
    .selectFrom('place_changes')
    .selectAll()
    .where('batch', '=', batch)
    .execute();
  if (noted.length === 0) return null;
  await lockPlaces(transaction);
  const about = await transaction
    .selectFrom('batches')
    .leftJoin('batches as undo', 'undo.undoes', 'batches.id')
    .select(['batches.kind', 'undo.id as undone'])
    .where('batches.id', '=', batch)
    .executeTakeFirst();
  if (about === undefined || about.undone !== null) return null;
  const rows: Noted[] = [];
  for (const was of noted) {
    const now = await findRow(transaction, was.place);
    if (now !== undefined) rows.push({ was, now });
  }
  const [pictured] = rows.filter(({ was }) => was.picture !== was.picture_after);
  const isMove = about.kind !== 'places added' && about.kind !== 'place removed';
  const root = rows
    .filter(({ was, now }) => isMove && (was.key !== now.key || was.path !== now.path))
    .sort((one, other) => one.was.path.length - other.was.path.length)
    .at(0);
  const open = rows.filter(({ was, now }) => was.kept !== now.kept);
  const begin = async () => {
    const undoing = await createBatch(transaction, author, { kind: 'undone', undoes: batch });
    await countPlaceChange(transaction, undoing);
    await sql`update batches set undone = undone + 1 where id = ${batch}`.execute(transaction);
    return undoing;
  };
  if (pictured !== undefined) {
    const undoing = await begin();
    await undoPicture(transaction, pictured.now, pictured.was, undoing);
    return { batch: undoing, place: null };
  }
  if (root === undefined ? open.length === 0 : root.was.version !== root.now.version)
    refuseChange({ kind: 'place changed since' });
  const undoing = await begin();
  if (root !== undefined) {
    await bringBack(transaction, root, batch, undoing);
    return { batch: undoing, place: root.was.place };
  }
  for (const kept of [true, false]) {
    const ids = open.filter(({ was }) => (was.kept === 1) === kept).map(({ was }) => was.place);
    if (ids.length > 0) await keepPlaces(transaction, ids, kept, undoing);
  }
  return { batch: undoing, place: null };
}

interface Noted {
  readonly was: Selectable<Schema['place_changes']>;
  readonly now: PlaceRow;
}

async function bringBack(
  transaction: KyselyTransaction,
  { was, now }: Noted,
  batch: number,
  undoing: number,
): Promise<void> {
  const other = was.key === null ? undefined : await findRowByKey(transaction, was.key);
  if (other !== undefined && other.id !== now.id)
    refuseChange({ kind: 'place taken', path: other.path });
  if (now.key === null) {
    await partPlaces(transaction, batch, undoing);
    return;
  }
  const target = was.merged_into === null ? undefined : await findRow(transaction, was.merged_into);
  const path = target?.path ?? was.path;
  await movePlace(transaction, { ...now, key: now.key }, path, undoing);
}
