/**
 * Renames a place, or moves it into another one, with what is in it: the place and the first few hundred items in the
 * transaction of the form, the others after it (move-things.ts). If there is such a place already, the two become one.
 */

import { sql } from 'kysely';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { formatCount } from '../../site/format.ts';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';
import { isWithin, levelsOf, locationsIn, lockPlaces, MAX_LEVELS } from '../place.ts';
import { lockItems } from '../stored-item.ts';
import {
  createPlaceBatch,
  findRow,
  findRowByKey,
  movePlace,
  type PlaceRow,
} from './change-places.ts';
import { countIn } from './count-things.ts';
import {
  countLeft,
  type Earlier,
  findThings,
  type Moved,
  movedAtOnce,
  moveNumbers,
  toMoved,
} from './move-things.ts';
import { PlaceRefused } from './place-refused.ts';

export interface Renaming {
  readonly id: number;
  /** The version that the form shows. */
  readonly version: number;
  readonly name: string;
  /** The path of the place that it is to be inside; empty for none. */
  readonly inside: string;
  /** The place that the form has said it will be merged with. */
  readonly merge: number | null;
}

export interface Renamed extends Moved {
  readonly batch: number;
  /** The place that is there now. */
  readonly place: number;
  readonly from: string;
  readonly to: string;
  readonly isMerged: boolean;
  readonly isRespelled: boolean;
}

export async function renamePlace(
  transaction: KyselyTransaction,
  renaming: Renaming,
  author: number,
  limit: number = movedAtOnce(transaction),
): Promise<Renamed> {
  const seen = await requirePlace(transaction, renaming.id);
  const path = toNewPath(renaming);
  const isRespelled = levelsOf(path).at(-1)?.key === seen.key;
  const earlier: Earlier = { key: seen.key, path: seen.path, ...(isRespelled && { stays: path }) };
  // Before the places: so do all forms that change items.
  const numbers = await findThings(transaction, earlier, limit);
  await lockItems(transaction, numbers);
  await lockPlaces(transaction);
  const place = await requirePlace(transaction, renaming.id);
  if (place.version !== renaming.version)
    throw new PlaceRefused(
      `Somebody else has changed this place: it is “${place.path}” now. Save again to change that`,
      null,
      409,
    );
  await checkPath(transaction, place, path);
  const target = await findRowByKey(transaction, levelsOf(path).at(-1)?.key ?? '');
  const isMerged = target !== undefined && target.id !== place.id;
  if (isMerged) await requireConfirmed(transaction, target, renaming.merge);
  const to = isMerged ? target.path : path;
  const operation = { kind: 'place changed', from: place.path, to, isMerged } as const;
  const batch = await createPlaceBatch(transaction, author, operation);
  const id = await movePlace(transaction, place, path, batch);
  const by = { author, batch };
  const moved = await moveNumbers(transaction, numbers, earlier, to, by);
  const left = await countLeft(transaction, id);
  return { ...{ batch, place: id, from: place.path, to }, isMerged, isRespelled, moved, left };
}

/** Throws a `PlaceRefused` if it is part of another place by now. */
async function requirePlace(
  transaction: KyselyTransaction,
  id: number,
): Promise<PlaceRow & { readonly key: string }> {
  const place = await findRow(transaction, id);
  if (place === undefined || place.key === null)
    throw new PlaceRefused('This place is part of another one by now', null, 409);
  return { ...place, key: place.key };
}

function toNewPath({ name, inside }: Renaming): string {
  if (/[,，]/.test(name))
    throw new PlaceRefused('Name must not have a comma: enter what it is inside below', 'name');
  const levels = levelsOf(inside === '' ? name : `${inside}, ${name}`);
  if (levels.length > MAX_LEVELS)
    throw new PlaceRefused(`A place can be inside ${MAX_LEVELS - 1} others at most`, 'inside');
  return levels.at(-1)?.path ?? '';
}

async function checkPath(
  transaction: KyselyTransaction,
  place: PlaceRow & { readonly key: string },
  path: string,
): Promise<void> {
  const key = levelsOf(path).at(-1)?.key ?? '';
  if (key.startsWith(`${place.key},`))
    throw new PlaceRefused('A place cannot be inside itself', 'inside');
  if (path === place.path) throw new PlaceRefused('Enter another name, or another place', 'name');
  const rows = await transaction
    .selectFrom('places')
    .select('path')
    .where(isWithin(sql.ref('key'), sql`${place.key}`))
    .execute();
  const paths = [...rows.map((row) => row.path), ...(await locationsIn(transaction, place.key))];
  const long = paths.find((one) => toMoved(one, place.path, path) === null);
  if (long !== undefined)
    throw new PlaceRefused(
      `“${long}” would be longer than ${MAX_LOCATION_LENGTH} characters`,
      'name',
    );
  const deep = paths.find(
    (one) => levelsOf(toMoved(one, place.path, path) ?? '').length > MAX_LEVELS,
  );
  if (deep !== undefined && levelsOf(path).length > levelsOf(place.path).length)
    throw new PlaceRefused(
      `“${deep}” would be inside more than ${MAX_LEVELS - 1} others`,
      'inside',
    );
}

/** Nobody misses an empty place that nobody has made on purpose. */
async function requireConfirmed(
  transaction: KyselyTransaction,
  target: PlaceRow,
  merge: number | null,
): Promise<void> {
  const { items, isShown } = await countIn(transaction, target.key ?? '');
  if (merge === target.id || !isShown) return;
  throw new PlaceRefused(
    `“${target.path}” exists already, with ${formatCount(items, 'item', 'items')}: press Merge to make the two one`,
    'name',
    409,
  );
}
