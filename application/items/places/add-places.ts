/** Adds places, which are shown before anything is in them; and removes one in which nothing is. */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { distinctNames } from '../facets.ts';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';
import { findPlaceIds, levelsOf, lockPlaces, MAX_LEVELS, makePlaces, toPath } from '../place.ts';
import { createPlaceBatch, findRow, keepPlaces } from './change-places.ts';
import { countIn } from './count-things.ts';
import { MAX_PLACES } from './place-forms.ts';
import { PlaceRefused } from './place-refused.ts';

/** The paths of the lines, each once. Throws a `PlaceRefused` that names the line which cannot be one. */
export function readPlaces(lines: string, inside: string): readonly string[] {
  const names = lines.split('\n').filter((line) => line.trim() !== '');
  if (names.length > MAX_PLACES)
    throw new PlaceRefused(`Add ${MAX_PLACES} places at most in one form`, 'places');
  const paths = names.map((name) => {
    const path = toPath(inside === '' ? name : `${inside}, ${name}`);
    if ([...path].length > MAX_LOCATION_LENGTH)
      throw new PlaceRefused(
        `“${path}” must be ${MAX_LOCATION_LENGTH} characters or less`,
        'places',
      );
    if (levelsOf(path).length > MAX_LEVELS)
      throw new PlaceRefused(`“${path}” is inside more than ${MAX_LEVELS - 1} others`, 'places');
    if (toPath(name) === '') throw new PlaceRefused(`“${name}” is no name`, 'places');
    return path;
  });
  return distinctNames(paths);
}

export interface AddedPlaces {
  /** Null if all were there already. */
  readonly batch: number | null;
  readonly added: number;
  /** Those that were there already. */
  readonly known: readonly string[];
}

export async function addPlaces(
  transaction: KyselyTransaction,
  paths: readonly string[],
  author: number,
): Promise<AddedPlaces> {
  await lockPlaces(transaction);
  await makePlaces(transaction, paths, author);
  const ids = await findPlaceIds(transaction, paths);
  const fresh: string[] = [];
  for (const path of paths) {
    const row = await findRow(transaction, ids.get(path) ?? 0);
    if (row !== undefined && row.kept === 0) fresh.push(path);
  }
  const known = paths.filter((path) => !fresh.includes(path));
  const [path] = fresh;
  if (path === undefined) return { batch: null, added: 0, known };
  const operation = { kind: 'places added', path, places: fresh.length } as const;
  const batch = await createPlaceBatch(transaction, author, operation);
  const numbers = fresh.flatMap((one) => ids.get(one) ?? []);
  await keepPlaces(transaction, numbers, true, batch);
  return { batch, added: fresh.length, known };
}

/** Resolves to the batch. Throws a `PlaceRefused` if something is in it. */
export async function removePlace(
  transaction: KyselyTransaction,
  id: number,
  author: number,
): Promise<{ readonly batch: number; readonly path: string }> {
  await lockPlaces(transaction);
  const place = await findRow(transaction, id);
  if (place === undefined || place.key === null || place.kept === 0)
    throw new PlaceRefused('The place was removed before.', null, 409);
  const { items } = await countIn(transaction, place.key);
  if (items > 0) throw new PlaceRefused('Something is in the place by now.', null, 409);
  const operation = { kind: 'place removed', path: place.path } as const;
  const batch = await createPlaceBatch(transaction, author, operation);
  await keepPlaces(transaction, [id], false, batch);
  return { batch, path: place.path };
}
