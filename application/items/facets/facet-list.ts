/** Reads the locations and tags of all items: by page, by name, or the most used ones. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { type FacetField, isKeyInside, outermostOf, pathOf, toFacetKey } from '../facets.ts';
import { toLocationTree } from './location-tree.ts';

export interface Facet {
  /** As it is spelled in the items. */
  readonly name: string;
  /** An item that has a tag twice counts twice. */
  readonly items: number;
}

/** Spellings that differ in case count as one name, in the spelling of most items. */
export interface NamedCount extends Facet {
  /** The number of items in locations inside this one; 0 for a tag. */
  readonly inside: number;
}

export interface FacetPage {
  readonly names: readonly NamedCount[];
  /** The name to begin the next page after; null for the last page. */
  readonly next: string | null;
}

export interface FacetList {
  /** Sorted without regard to case. Pages of more than 500 are read in the thread of searches. */
  readonly page: (field: FacetField, size: number, after?: string) => Promise<FacetPage>;
  /**
   * The locations, each after those that it is inside and that no item has itself. Those that `after` is inside too
   * are on an earlier page.
   */
  readonly withParents: (
    locations: readonly NamedCount[],
    after?: string,
  ) => Promise<readonly NamedCount[]>;
  /** Null if no item has the name. */
  readonly find: (field: FacetField, name: string) => Promise<NamedCount | null>;
  /**
   * Each spelling, most items first. Names beyond 500 are sorted in the thread of searches: 10 ms for
   * 10,000.
   */
  readonly mostUsed: (field: FacetField, limit: number) => Promise<readonly Facet[]>;
  /** “Office” for “Office, drawer 2”, with the items inside; most items first. */
  readonly outermost: (limit: number) => Promise<readonly Facet[]>;
}

/** Names that are read in the main thread, which SQLite blocks. */
const MAX_AT_ONCE = 500;

export function createFacetList({
  read,
  slowRead,
}: Pick<Database, 'read' | 'slowRead'>): FacetList {
  /** Fields that have had more names. They are not read here again only to find that out. */
  const large = new Set<FacetField>();
  /** All names; null for a large field. Nearly every team has few names, and needs no thread. */
  async function readFew(field: FacetField): Promise<Facet[] | null> {
    if (large.has(field)) return null;
    const some = await selectNames(read, field).limit(MAX_AT_ONCE).execute();
    if (some.length < MAX_AT_ONCE) return some;
    large.add(field);
    return null;
  }
  return {
    async page(field, size, after) {
      const source = size > MAX_AT_ONCE ? slowRead : read;
      const where = after === undefined ? sql`true` : sql`facet.key > ${toFacetKey(after)}`;
      const found = await selectCounts(source, field, where, size + 1);
      const names = found.slice(0, size);
      return { names, next: found.length > size ? (names.at(-1)?.name ?? null) : null };
    },
    async withParents(locations, after = '') {
      const parents = await selectParents(read, locations);
      for (const name of pathOf(after)) parents.delete(toFacetKey(name));
      return locations.flatMap((location) => {
        const keys = pathOf(location.name).map(toFacetKey);
        const own = keys.flatMap((key) => parents.get(key) ?? []);
        for (const key of keys) parents.delete(key);
        return [...own, location];
      });
    },
    async find(field, name) {
      const key = toFacetKey(name);
      const [own] = await selectCounts(read, field, sql`facet.key = ${key}`, 1);
      if (own !== undefined || field === 'tag') return own ?? null;
      // A location without items of its own may have items inside it.
      const { rows } = await sql<{ items: number | null }>`select sum(items) as items
        from item_facets
        where field = ${field} and ${isKeyInside(sql`key`, sql`${key}`)}`.execute(read);
      const inside = Number(rows[0]?.items ?? 0);
      return inside === 0 ? null : { name, items: 0, inside };
    },
    async mostUsed(field, limit) {
      const few = await readFew(field);
      if (few !== null) return few.sort(byItems).slice(0, limit);
      return selectNames(slowRead, field)
        .orderBy('items', 'desc')
        .orderBy('name')
        .limit(limit)
        .execute();
    },
    async outermost(limit) {
      const few = await readFew('location');
      if (few !== null) {
        const rooms = toLocationTree(few).map(({ location, items }) => ({
          name: location,
          items,
        }));
        return rooms.sort(byItems).slice(0, limit);
      }
      const key = outermostOf(slowRead, sql`key`);
      const { rows } = await sql<Facet>`select min(${outermostOf(slowRead, sql`name`)}) as name,
          sum(items) as items from item_facets where field = 'location'
        group by ${key} order by items desc, name limit ${limit}`.execute(slowRead);
      return rows.map(({ name, items }) => ({ name, items: Number(items) }));
    },
  };
}

async function selectCounts(
  source: Kysely<Schema>,
  field: FacetField,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly NamedCount[]> {
  const isInside = isKeyInside(sql`inner_one.key`, sql`facet.key`);
  const { rows } = await sql<NamedCount>`select sum(facet.items) as items,
      (select name from item_facets spelled where spelled.field = ${field}
        and spelled.key = facet.key order by items desc, name limit 1) as name,
      coalesce((select sum(items) from item_facets inner_one
        where inner_one.field = ${field} and ${field} = 'location' and ${isInside}), 0) as inside
    from item_facets facet where facet.field = ${field} and ${where}
    group by facet.key order by facet.key limit ${limit}`.execute(source);
  return rows.map(({ name, items, inside }) => ({
    ...{ name, items: Number(items), inside: Number(inside) },
  }));
}

/** By their keys. */
async function selectParents(
  source: Kysely<Schema>,
  locations: readonly NamedCount[],
): Promise<Map<string, NamedCount>> {
  const paths = locations.flatMap(({ name }) => pathOf(name).slice(0, -1));
  if (paths.length === 0) return new Map();
  const names = Map.groupBy(paths, toFacetKey);
  const values = [...names].map(([key, [name]]) => sql`(${key}, ${name})`);
  const isInside = isKeyInside(sql`inner_one.key`, sql`parent.key`);
  const { rows } = await sql<{ key: string; name: string; inside: number }>`
    with parent (key, name) as (values ${sql.join(values)})
    select key, name, (select sum(items) from item_facets inner_one
        where inner_one.field = 'location' and ${isInside}) as inside
    from parent where not exists
      (select 1 from item_facets own where own.field = 'location' and own.key = parent.key)`.execute(
    source,
  );
  return new Map(
    rows.map(({ key, name, inside }) => [key, { name, items: 0, inside: Number(inside) }]),
  );
}

function selectNames(source: Kysely<Schema>, field: FacetField) {
  return source.selectFrom('item_facets').select(['name', 'items']).where('field', '=', field);
}

function byItems(one: Facet, other: Facet): number {
  return other.items - one.items || (one.name < other.name ? -1 : 1);
}
