/** The locations or the tags by page, for people: spellings that differ in case are one name. */
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type FacetField, toFacetKey } from './facets.ts';

export interface NamedCount {
  /** The spelling that most items have. */
  readonly name: string;
  readonly items: number;
  /** Items in what is inside a location; 0 for a tag. */
  readonly inside: number;
}

export interface FacetPage {
  readonly names: readonly NamedCount[];
  /** The name to begin the next page after; null for the last page. */
  readonly next: string | null;
}

export interface FacetList {
  readonly page: (field: FacetField, size: number, after?: string) => Promise<FacetPage>;
  /** Null if no item has the name. */
  readonly find: (field: FacetField, name: string) => Promise<NamedCount | null>;
}

export function createFacetList({ read }: Pick<Database, 'read'>): FacetList {
  const select = async (field: FacetField, where: ReturnType<typeof sql>, size: number) => {
    const { rows } = await sql<NamedCount & { readonly key: string }>`
      select facet.key as key, sum(facet.items) as items,
        (select name from item_facets spelled where spelled.field = ${field}
          and spelled.key = facet.key order by items desc, name limit 1) as name,
        coalesce((select sum(items) from item_facets inner_one
          where inner_one.field = ${field} and ${field} = 'location'
          and inner_one.key >= facet.key || ',' and inner_one.key < facet.key || '-'), 0) as inside
      from item_facets facet where facet.field = ${field} and ${where}
      group by facet.key order by facet.key limit ${size}`.execute(read);
    return rows.map(({ name, items, inside }) => ({
      ...{ name, items: Number(items), inside: Number(inside) },
    }));
  };
  return {
    async page(field, size, after) {
      const where = after === undefined ? sql`true` : sql`facet.key > ${toFacetKey(after)}`;
      const found = await select(field, where, size + 1);
      const names = found.slice(0, size);
      return { names, next: found.length > size ? (names.at(-1)?.name ?? null) : null };
    },
    async find(field, name) {
      const key = toFacetKey(name);
      const [own] = await select(field, sql`facet.key = ${key}`, 1);
      if (own !== undefined || field === 'tag') return own ?? null;
      // A place that only has items inside it.
      const { rows } = await sql<{ items: number | null }>`select sum(items) as items
        from item_facets where field = ${field} and key >= ${`${key},`} and key < ${`${key}-`}`.execute(
        read,
      );
      const inside = Number(rows[0]?.items ?? 0);
      return inside === 0 ? null : { name, items: 0, inside };
    },
  };
}
