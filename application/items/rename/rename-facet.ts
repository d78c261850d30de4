/**
 * Renames a location or a tag on all items that have it, as one batch. If other items already have the new name,
 * this merges the two. Locations inside a renamed one follow: “Office, drawer 2” becomes “Studio, drawer 2”.
 */
import { sql } from 'kysely';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { type FacetField, isKeyInside, matchFacet, toFacetKey } from '../facets.ts';
import type { ItemInput } from '../item-fields.ts';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';
import { type ChangedMany, changeMany } from '../select/change-many.ts';

/**
 * Items per form, lowest numbers first. Other writes wait for it: half a second on a busy PostgreSQL with two
 * cores. The message says that some items are left.
 */
const MAX_RENAMED = 500;

export interface Rename {
  readonly field: FacetField;
  readonly from: string;
  readonly to: string;
}

export interface Renamed extends ChangedMany {
  /** Whether items are left that still have the name. */
  readonly hasMore: boolean;
}

export async function renameFacet(
  transaction: KyselyTransaction,
  { field, from, to }: Rename,
  author: number,
  limit: number = MAX_RENAMED,
): Promise<Renamed> {
  const { condition } = await matchFacet(transaction, field, from);
  // Of another spelling, the items that an earlier form has renamed match too.
  const isRespelled = toFacetKey(from) === toFacetKey(to);
  const location = isRespelled
    ? sql`${condition} and location <> ${to} and not (${isKeyInside(sql`location`, sql`${to}`)})`
    : condition;
  const tag = isRespelled ? sql`${condition} and tag <> ${to}` : condition;
  const { rows } = await (field === 'location'
    ? sql<{ number: number }>`select number from items where ${location}
        order by number limit ${limit + 1}`
    : sql<{
        number: number;
      }>`select distinct item_number as number from item_tags where ${tag}
        order by item_number limit ${limit + 1}`
  ).execute(transaction);
  const numbers = rows.slice(0, limit).map(({ number }) => number);
  const operation = { kind: 'renamed', what: field, from, to } as const;
  const rename = field === 'location' ? renameLocation : renameTag;
  const done = await changeMany(transaction, numbers, (item) => rename(item, from, to), {
    author,
    operation,
  });
  return { ...done, hasMore: rows.length > limit };
}

/** Null if the new location would be too long. Locations other than `from` and those inside it stay. */
export function renameLocation<T extends ItemInput>(item: T, from: string, to: string): T | null {
  const { location } = item;
  // Names that differ in case can differ in length, so the parts are counted and not the characters.
  const parts = location.split(',');
  const depth = from.split(',').length;
  const outer = parts.slice(0, depth).join(',');
  if (toFacetKey(outer) !== toFacetKey(from)) return item;
  const renamed = [to, ...parts.slice(depth)].join(',');
  return [...renamed].length <= MAX_LOCATION_LENGTH ? { ...item, location: renamed } : null;
}

/** An item that has both tags keeps one of them. */
export function renameTag<T extends ItemInput>(item: T, from: string, to: string): T {
  const tags = item.tags.map((tag) => (toFacetKey(tag) === toFacetKey(from) ? to : tag));
  const isNew = tags.some((tag, at) => tag !== item.tags[at]);
  if (!isNew) return item;
  const key = toFacetKey(to);
  const first = tags.findIndex((tag) => toFacetKey(tag) === key);
  return { ...item, tags: tags.filter((tag, at) => at === first || toFacetKey(tag) !== key) };
}
