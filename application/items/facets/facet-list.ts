/** Reads the locations and tags of all items: by page, by name, or the most used ones. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { toPathKey } from '../../site/fold-text.ts';
import { type FacetField, isKeyInside, outermostOf, pathOf, toFacetKey } from '../facets.ts';
import { type LocationNode, toLocationTree } from './location-tree.ts';

export interface Facet {
  /** In the spelling of most items: spellings with the same key are one name. */
  readonly name: string;
  readonly items: number;
}

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
  /** Sorted as people look for them; more than `MAX_SORTED` names by their keys. */
  readonly page: (field: FacetField, size: number, after?: string) => Promise<FacetPage>;
  /** Null if no item has the name. */
  readonly find: (field: FacetField, name: string) => Promise<NamedCount | null>;
  /**
   * Most items first. Names beyond 500 are sorted in the thread of searches: 10 ms for 10,000. For `SAME_NAMES` after
   * that, the numbers are read anew, and a name that has become common is not looked for.
   */
  readonly mostUsed: (field: FacetField, limit: number) => Promise<readonly Facet[]>;
  /**
   * “Office” for “Office, drawer 2”, with the items inside; most items first. With few names it is all of them, each
   * with the tree of what is inside it.
   */
  readonly outermost: (limit: number) => Promise<readonly LocationNode[]>;
}

/** Names that are read in the main thread, which SQLite blocks. */
const MAX_AT_ONCE = 500;
/** Names that are sorted here: 10,000 take 20 ms. */
const MAX_SORTED = 10_000;
/** Milliseconds. */
const SAME_NAMES = 10_000;

export function createFacetList(
  { read, slowRead }: Pick<Database, 'read' | 'slowRead'>,
  now: () => number = Date.now,
): FacetList {
  /** Fields that have had more names. They are not read here again only to find that out. */
  const large = new Set<FacetField>();
  /** The keys of the commonest names of a large field, and when they were looked for. */
  const common = new Map<FacetField, { readonly keys: readonly string[]; readonly at: number }>();
  /** All names; null for a large field. Nearly every team has few names, and needs no thread. */
  async function readFew(field: FacetField): Promise<Facet[] | null> {
    if (large.has(field)) return null;
    const some = await selectNames(read, field).orderBy('name').limit(MAX_AT_ONCE).execute();
    if (some.length < MAX_AT_ONCE) return some;
    large.add(field);
    return null;
  }
  async function readSorted(field: FacetField): Promise<readonly SortedCount[] | null> {
    const few = await readFew(field);
    if (few !== null) return sortNames(field, few);
    const many = await selectNames(slowRead, field)
      .limit(MAX_SORTED + 1)
      .execute();
    return many.length > MAX_SORTED ? null : sortNames(field, many);
  }
  return {
    async page(field, size, after) {
      const sorted = await readSorted(field);
      if (sorted !== null) {
        const key = after === undefined ? '' : sortKeyOf(after);
        return toPage(
          sorted.filter(({ sortKey }) => sortKey > key),
          size,
        );
      }
      const where = after === undefined ? sql`true` : sql`facet.key > ${toFacetKey(after)}`;
      return toPage(await selectCounts(slowRead, field, where, size + 1), size);
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
      if (few !== null) return mergeSpellings(few).sort(byItems).slice(0, limit);
      const known = common.get(field);
      if (known !== undefined && known.keys.length >= limit && now() - known.at < SAME_NAMES) {
        const names = await readNamed(slowRead, field, known.keys);
        // A name that is gone may have become another one.
        if (names.length === known.keys.length) return names.slice(0, limit);
      }
      const at = now();
      const { rows } = await sql<{ readonly key: string }>`select key from item_facets
        where field = ${field} group by key
        order by sum(items) desc, key limit ${2 * limit}`.execute(slowRead);
      const keys = rows.map(({ key }) => key);
      common.set(field, { keys, at });
      return (await readNamed(slowRead, field, keys)).slice(0, limit);
    },
    async outermost(limit) {
      const few = await readFew('location');
      if (few !== null) return toLocationTree(sortNames('location', few)).toSorted(byItems);
      const key = outermostOf(slowRead, sql`key`);
      const name = outermostOf(slowRead, sql`name`);
      const { rows } = await sql<Facet & { key: string; other: string }>`select ${key} as key,
          min(${name}) as name, max(${name}) as other, sum(items) as items
        from item_facets where field = 'location'
        group by ${key} order by items desc, name limit ${limit}`.execute(slowRead);
      return Promise.all(
        rows.map(async ({ key, name, other, items }) => {
          const location = name === other ? name : await findOutermostSpelling(slowRead, key);
          return { location, name: location, items: Number(items), inside: [] };
        }),
      );
    },
  };
}

/** Most items first. */
async function readNamed(
  source: Kysely<Schema>,
  field: FacetField,
  keys: readonly string[],
): Promise<readonly Facet[]> {
  // PostgreSQL accepts no empty list.
  if (keys.length === 0) return [];
  const spellings = await selectNames(source, field).where('key', 'in', keys).execute();
  return mergeSpellings(spellings).sort(byItems);
}

interface SortedCount extends NamedCount {
  readonly sortKey: string;
}

/** With the key last, because each name has a place of its own. */
function sortKeyOf(name: string): string {
  const key = toFacetKey(name);
  return `${toPathKey(key.split(', '))}\0${key}`;
}

function sortNames(field: FacetField, facets: readonly Facet[]): readonly SortedCount[] {
  const names = mergeSpellings(facets);
  const inside = new Map<string, number>();
  if (field === 'location')
    for (const { name, items } of names)
      for (const outer of pathOf(toFacetKey(name)).slice(0, -1))
        inside.set(outer, (inside.get(outer) ?? 0) + items);
  return names
    .map(({ name, items }) => ({
      ...{ name, items, sortKey: sortKeyOf(name) },
      inside: inside.get(toFacetKey(name)) ?? 0,
    }))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
}

function mergeSpellings(facets: readonly Facet[]): Facet[] {
  return [...Map.groupBy(facets, ({ name }) => toFacetKey(name)).values()].map((spellings) => ({
    name: spellings.sort(byItems)[0]?.name ?? '',
    items: spellings.reduce((sum, { items }) => sum + items, 0),
  }));
}

/** `found` may have one more than fits. */
function toPage(found: readonly NamedCount[], size: number): FacetPage {
  const names = found.slice(0, size).map(({ name, items, inside }) => ({ name, items, inside }));
  return { names, next: found.length > size ? (names.at(-1)?.name ?? null) : null };
}

async function findOutermostSpelling(source: Kysely<Schema>, key: string): Promise<string> {
  const name = outermostOf(source, sql`name`);
  const { rows } = await sql<{ name: string }>`select ${name} as name from item_facets
    where field = 'location' and (key = ${key} or ${isKeyInside(sql`key`, sql`${key}`)})
    group by ${name} order by sum(items) desc, ${name} limit 1`.execute(source);
  return rows[0]?.name ?? key;
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

function selectNames(source: Kysely<Schema>, field: FacetField) {
  return source.selectFrom('item_facets').select(['name', 'items']).where('field', '=', field);
}

function byItems(one: Facet, other: Facet): number {
  return other.items - one.items || (one.name < other.name ? -1 : 1);
}
