/** How much is in a place, by the counts of the locations: see facets.ts. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { isKeyInside } from '../facets.ts';
import { isWithin } from '../place.ts';

export interface InPlace {
  /** In the place itself and in those inside. */
  readonly items: number;
  /** Whether anything is in it, or somebody has made it, or one inside it, on purpose. */
  readonly isShown: boolean;
}

export async function countIn(source: Kysely<Schema>, key: string): Promise<InPlace> {
  const { rows } = await sql<{ items: number | null; kept: number | boolean }>`select
      (select sum(items) from item_facets
        where field = 'location' and ${isWithin(sql`key`, sql`${key}`)}) as items,
      exists (select 1 from places where kept = 1 and ${isWithin(sql`key`, sql`${key}`)}) as kept`.execute(
    source,
  );
  const items = Number(rows[0]?.items ?? 0);
  return { items, isShown: items > 0 || Boolean(rows[0]?.kept) };
}

/** Of the row `places` of a query. */
export const ITEMS_HERE = sql<number>`coalesce((select sum(items) from item_facets as here
  where here.field = 'location' and here.key = places.key), 0)`;

/** In the places inside it. A location that ends with a comma counts as inside. */
export const ITEMS_INSIDE = sql<number>`coalesce((select sum(items) from item_facets as deeper
  where deeper.field = 'location' and ${isKeyInside(sql`deeper.key`, sql`places.key`)}), 0)`;

/** A condition on the row `places`. */
export const IS_SHOWN: RawBuilder<boolean> = sql`places.key is not null and (places.kept = 1
  or exists (select 1 from item_facets as here
    where here.field = 'location' and here.key = places.key)
  or exists (select 1 from item_facets as deeper
    where deeper.field = 'location' and ${isKeyInside(sql`deeper.key`, sql`places.key`)})
  or exists (select 1 from places as inner_one
    where inner_one.kept = 1 and ${isKeyInside(sql`inner_one.key`, sql`places.key`)}))`;
