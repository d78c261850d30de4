/**
 * Reads places: one with what stands on its page, a level of the tree, and where a location leads. A small team has few
 * places, and sees the whole tree; with more, a page has one level of it.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { type Batch, selectBatches, toBatch } from '../events/batches.ts';
import { isKeyInside, toFacetKey } from '../facets.ts';
import { type ItemFile, isPhoto, toItemFile } from '../item-files.ts';
import { findPlaceIds, levelsOf } from '../place.ts';
import { IS_SHOWN, ITEMS_HERE, ITEMS_INSIDE } from './count-things.ts';
import { countLeft } from './move-things.ts';

export interface PlaceCount {
  readonly id: number;
  readonly parent: number | null;
  readonly name: string;
  readonly path: string;
  readonly key: string;
  /** How many items are in it, and in those inside it. */
  readonly items: number;
  readonly inside: number;
  /** How many places are inside it, at all levels. */
  readonly places: number;
}

export interface Place extends PlaceCount {
  readonly isKept: boolean;
  /** Whether anything is in it, or somebody has made it, or one inside it, on purpose. */
  readonly isShown: boolean;
  readonly version: number;
  /** While it is being made, it has no page; null also if none can be made of what was sent. */
  readonly picture: ItemFile | null;
  /** The id of the picture, also of one that cannot be made. */
  readonly pictureId: number | null;
  /** Those that it is inside, outermost first. */
  readonly outside: readonly { readonly id: number; readonly name: string }[];
}

export interface LevelPage {
  readonly places: readonly PlaceCount[];
  /** The place to begin the next page after; null for the last page. */
  readonly next: number | null;
}

/** Where a location leads. */
export interface Found {
  readonly id: number;
  /** The location today: another text than the one that was asked for if a place was renamed. */
  readonly path: string;
  /** Whether there is a place of that location, or only one that it would be inside. */
  readonly isExact: boolean;
}

export type Places = ReturnType<typeof createPlaces>;

/** Places that are read at once, in the main thread. */
const MAX_TREE = 500;
/** Places on a page of a level. */
const LEVEL_SIZE = 200;
/** Changes on the page of a place. */
const SHOWN_CHANGES = 5;

export function createPlaces({ read, slowRead }: Pick<Database, 'read' | 'slowRead'>) {
  return {
    /** Null if there never was a place with the id; of a merged one, that which it is part of. */
    async find(id: number): Promise<Place | null> {
      const row = await read
        .selectFrom('places')
        .leftJoin('places as whole', 'whole.id', 'places.merged_into')
        .select(({ fn }) => fn.coalesce('whole.id', 'places.id').as('id'))
        .where('places.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      const [place] = await selectPlaces(read, sql`places.id = ${row.id}`, 1);
      if (place === undefined) return null;
      const { kept, version, shown, picture: pictureId, ...count } = place;
      const outside = await findOutside(read, place.parent);
      const state = { isKept: kept === 1, isShown: Boolean(shown), version };
      return {
        ...count,
        ...state,
        outside,
        picture: await findPicture(read, pictureId),
        pictureId,
      };
    },

    /** The ids of the places with these locations, by the location as it was given. */
    idsOf: (locations: readonly string[]) => findPlaceIds(read, locations),

    /** The place of a location, also by an earlier name; or the nearest place that it would be inside; or null. */
    resolve: (location: string): Promise<Found | null> => resolvePlace(read, location),

    /** All places, each after the one that it is inside; null if there are many. */
    async tree(): Promise<readonly PlaceCount[] | null> {
      const some = await read
        .selectFrom('places')
        .select('id')
        .where('key', 'is not', null)
        .limit(MAX_TREE + 1)
        .execute();
      return some.length > MAX_TREE ? null : selectPlaces(read, IS_SHOWN, MAX_TREE);
    },

    /** The places inside one, or the outermost ones, sorted as people look for them. */
    async level(parent: number | null, after: number | null): Promise<LevelPage> {
      const inside = parent === null ? sql`places.parent is null` : sql`places.parent = ${parent}`;
      const later =
        after === null
          ? sql`true`
          : sql`(places.name_key, places.id) > (select name_key, id from places where id = ${after})`;
      const where = sql`${inside} and ${later} and ${IS_SHOWN}`;
      const rows = await selectPlaces(slowRead, where, LEVEL_SIZE + 1);
      const places = rows.slice(0, LEVEL_SIZE);
      return { places, next: rows.length > LEVEL_SIZE ? (places.at(-1)?.id ?? null) : null };
    },

    /** Earlier names, and how many items still have one. */
    async earlier(id: number) {
      const rows = await read
        .selectFrom('place_aliases')
        .select('path')
        .where('place', '=', id)
        .orderBy('path')
        .execute();
      const left = rows.length === 0 ? 0 : await countLeft(read, id);
      return { paths: rows.map(({ path }) => path), left };
    },

    /** What was done to the place, newest first. */
    async changes(id: number): Promise<readonly Batch[]> {
      const rows = await selectBatches(read)
        .where('batches.id', 'in', (one) =>
          one.selectFrom('place_changes').select('batch').where('place', '=', id),
        )
        .orderBy('batches.id', 'desc')
        .limit(SHOWN_CHANGES)
        .execute();
      return rows.map(toBatch);
    },

    /** The paths of some places in which nothing is, which no item suggests. */
    async emptyPaths(limit: number): Promise<readonly string[]> {
      const rows = await read
        .selectFrom('places')
        .select('path')
        .where('kept', '=', 1)
        .where('key', 'is not', null)
        .where(sql<boolean>`${ITEMS_HERE} = 0`)
        .orderBy('name_key')
        .limit(limit)
        .execute();
      return rows.map(({ path }) => path);
    },
  };
}

interface PlaceRead extends PlaceCount {
  readonly kept: number;
  readonly version: number;
  readonly picture: number | null;
  readonly shown: number | boolean;
}

async function selectPlaces(
  source: Kysely<Schema>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly PlaceRead[]> {
  const { rows } = await sql<PlaceRead>`select id, parent, name, path, key, kept, version, picture,
      ${IS_SHOWN} as shown, ${ITEMS_HERE} as items, ${ITEMS_INSIDE} as inside,
      (select count(*) from places as inner_place
        where ${isKeyInside(sql`inner_place.key`, sql`places.key`)}) as places
    from places where ${where} order by name_key, id limit ${limit}`.execute(source);
  return rows.map((row) => ({
    ...row,
    ...{ items: Number(row.items), inside: Number(row.inside), places: Number(row.places) },
  }));
}

async function findPicture(source: Kysely<Schema>, id: number | null): Promise<ItemFile | null> {
  if (id === null) return null;
  const row = await source
    .selectFrom('item_files')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const file = row === undefined ? null : toItemFile(row);
  return file !== null && isPhoto(file) ? file : null;
}

async function findOutside(source: Kysely<Schema>, parent: number | null) {
  const outside: { readonly id: number; readonly name: string }[] = [];
  for (let next = parent; next !== null; ) {
    const row = await source
      .selectFrom('places')
      .select(['id', 'name', 'parent'])
      .where('id', '=', next)
      .executeTakeFirst();
    if (row === undefined) break;
    outside.unshift({ id: row.id, name: row.name });
    next = row.parent;
  }
  return outside;
}

async function resolvePlace(source: Kysely<Schema>, location: string): Promise<Found | null> {
  const levels = levelsOf(location);
  const whole = levels.at(-1);
  for (const level of levels.toReversed()) {
    const { key } = level;
    const place =
      (await source
        .selectFrom('places')
        .select(['id', 'path'])
        .where('key', '=', key)
        .executeTakeFirst()) ??
      (await source
        .selectFrom('place_aliases')
        .innerJoin('places', 'places.id', 'place_aliases.place')
        .select(['places.id', 'places.path'])
        .where('place_aliases.key', '=', key)
        .executeTakeFirst());
    if (place === undefined) continue;
    if (level === whole) return { ...place, isExact: true };
    // The rest of an earlier path may be there under the present one.
    const rest = levels.slice(levels.indexOf(level) + 1).map(({ name }) => name);
    const path = [place.path, ...rest].join(', ');
    if (toFacetKey(path) === whole?.key) return { ...place, isExact: false };
    const found = await resolvePlace(source, path);
    return found ?? { ...place, isExact: false };
  }
  return null;
}
