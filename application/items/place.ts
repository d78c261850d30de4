/**
 * Places: each location that an item has is a row of `places` with an id, and so is all that it is inside. The text
 * stays with the item; here it gets an address, and stays itself when it is renamed. The transaction that first uses a
 * location makes its rows (docs/decisions/places.md).
 *
 * A row is never deleted because nothing is in it: printed codes lead to it. A place is shown if something is in it, or
 * if somebody has made it on purpose (`kept`).
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Awaitable } from 'seeother/middleware';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Schema } from '../database/schema.ts';
import { toSortKey } from '../site/fold-text.ts';
import { isKeyInside, pathOf, toFacetKey } from './facets.ts';
import { piecesOf } from './pieces.ts';

/** Of a place that somebody makes or moves; a location that is typed may have more. */
export const MAX_LEVELS = 6;

/** A place that a location names: itself, or one that it is inside. */
export interface Level {
  /** The last part of the path. */
  readonly name: string;
  /** Spelled with a comma and one space between the levels. */
  readonly path: string;
  /** As in `item_facets`. */
  readonly key: string;
}

/** Of a location, outermost first: “Cellar” and “Cellar, shelf 2”. */
export function levelsOf(location: string): readonly Level[] {
  const paths = [...new Set([...pathOf(location), location])];
  const levels: Level[] = [];
  paths.forEach((path, at) => {
    const outside = paths[at - 1];
    const name = spell(
      outside === undefined ? path : path.slice(outside.length).replace(/^\s*[,，]/, ''),
    );
    if (name === '') return;
    const outer = levels.at(-1);
    const whole = outer === undefined ? name : `${outer.path}, ${name}`;
    levels.push({ name, path: whole, key: toFacetKey(whole) });
  });
  return levels;
}

/** The location in the spelling of paths: “Cellar, shelf 2” for “Cellar ,shelf  2”. */
export function toPath(location: string): string {
  return levelsOf(location).at(-1)?.path ?? '';
}

function spell(name: string): string {
  return name
    .replaceAll(/\s*[,，]\s*/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .replace(/,? $/, '')
    .trim();
}

/**
 * Makes the places of locations that have none. Call it after the items are written: on PostgreSQL, all transactions
 * that write items or places wait for the revision of the items, so no two make the same place.
 */
export async function makePlaces(
  transaction: KyselyTransaction,
  locations: readonly string[],
  author: number | null = null,
): Promise<void> {
  const levels = new Map<string, Level>();
  for (const level of locations.flatMap(levelsOf))
    if (!levels.has(level.key)) levels.set(level.key, level);
  const known = await findByKeys(transaction, [...levels.keys()]);
  const missing = [...levels.values()].filter(({ key }) => !known.has(key));
  if (missing.length === 0) return;
  const first = await nextNumber(transaction, 'places', missing.length);
  missing.forEach((level, at) => {
    known.set(level.key, { ...level, id: first + at });
  });
  const at = new Date().toISOString();
  for (const piece of piecesOf(missing)) {
    const rows = piece.map(({ name, path, key }) => {
      const outer = known.get(toFacetKey(path.slice(0, -`, ${name}`.length))) ?? null;
      // What it is inside may be spelled in another way.
      const place = {
        id: known.get(key)?.id ?? 0,
        path: outer === null ? path : `${outer.path}, ${name}`,
      };
      known.set(key, place);
      return {
        ...{ ...place, parent: outer?.id ?? null, name, name_key: toSortKey(name), key },
        ...{ created_at: at, created_by: author },
      };
    });
    await transaction.insertInto('places').values(rows).execute();
  }
  await takeNames(
    transaction,
    missing.map(({ key }) => key),
  );
}

/** New places of these names are what links with them mean from now on, and so does what still has them. */
async function takeNames(transaction: KyselyTransaction, keys: readonly string[]): Promise<void> {
  for (const piece of piecesOf(keys)) {
    const taken = await transaction
      .deleteFrom('place_aliases')
      .where('key', 'in', piece)
      .returning('key')
      .execute();
    for (const { key } of taken) await makePlaces(transaction, await locationsIn(transaction, key));
  }
}

/** The locations that items have: this one, in any spelling, and all inside it. */
export async function locationsIn(source: Kysely<Schema>, key: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from item_facets
    where field = 'location' and ${isWithin(sql`key`, sql`${key}`)} order by key, name`.execute(
    source,
  );
  return rows.map(({ name }) => name);
}

/** A condition: the inner key is the outer one, or inside it. */
export function isWithin(
  inner: RawBuilder<unknown>,
  outer: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(${inner} = ${outer} or ${isKeyInside(inner, outer)})`;
}

/** Before anything else of a place is read in order to change it. All items that are changed too are locked before. */
export async function lockPlaces(transaction: KyselyTransaction): Promise<void> {
  await lockRows(transaction, 'revisions', ['items']);
}

async function findByKeys(source: Kysely<Schema>, keys: readonly string[]) {
  const found = new Map<string, { readonly id: number; readonly path: string }>();
  for (const piece of piecesOf(keys)) {
    const rows = await source
      .selectFrom('places')
      .select(['id', 'path', 'key'])
      .where('key', 'in', piece)
      .execute();
    for (const { key, ...row } of rows) found.set(key ?? '', row);
  }
  return found;
}

/** The ids of the places with these locations, in any spelling, by the location as it was given. */
export async function findPlaceIds(
  source: Kysely<Schema>,
  locations: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const keys = new Map(locations.map((one) => [one, levelsOf(one).at(-1)?.key ?? '']));
  const found = await findByKeys(source, [...new Set(keys.values())]);
  return new Map(
    [...keys].flatMap(([one, key]) => {
      const place = found.get(key);
      return place === undefined ? [] : [[one, place.id] as const];
    }),
  );
}

/** Locations that this process has seen to have places, at most. */
const MAX_KNOWN = 5_000;

/**
 * Makes the places of a new item. Nearly every location is known, so this costs no statement. `forgotten` is the count
 * of `selectForgotten`: what this process has seen before counts no more after a place was renamed.
 */
export function preparePlaces() {
  let known = new Set<string>();
  let knownAt: number | null = null;
  return (
    transaction: KyselyTransaction,
    location: string,
    forgotten: number | null,
  ): Awaitable<void> => {
    if (forgotten !== knownAt) known = new Set();
    knownAt = forgotten;
    if (location === '' || known.has(location)) return;
    const remember = () => {
      if (forgotten !== knownAt) return;
      if (known.size > MAX_KNOWN) known = new Set();
      known.add(location);
    };
    return makePlaces(transaction, [location]).then(() => transaction.onCommit(remember));
  };
}

const BATCH = 500;

/**
 * Makes the places of locations that another release or program has written, a few hundred in a transaction. Resolves
 * to the number of locations.
 */
export async function makeMissingPlaces({ read, write }: Pick<Database, 'read' | 'write'>) {
  let done = 0;
  for (let last = ''; ; ) {
    const { rows } = await sql<{ name: string; is_missing: number | boolean }>`select name,
        not exists (select 1 from places where places.key = item_facets.key) as is_missing
      from item_facets where field = 'location' and name > ${last}
      order by name limit ${BATCH}`.execute(read);
    // A key of other spaces, such as one at a trailing comma, is no place of its own.
    const missing = rows.flatMap(({ name, is_missing }) =>
      is_missing && levelsOf(name).length > 0 ? [name] : [],
    );
    const before = await findPlaceIds(read, missing);
    const homeless = missing.filter((name) => !before.has(name));
    if (homeless.length > 0)
      await write(async (transaction) => {
        await lockPlaces(transaction);
        await makePlaces(transaction, homeless);
      });
    done += homeless.length;
    last = rows.at(-1)?.name ?? '';
    if (rows.length < BATCH) return done;
  }
}
