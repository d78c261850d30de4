/** Renames a tag on all items that have it, as one batch. If other items have the new name, this merges the two. */
import { sql } from 'kysely';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { matchFacet, toFacetKey } from '../facets.ts';
import type { ItemInput } from '../item-fields.ts';
import { type ChangedMany, changeMany } from '../select/change-many.ts';

/**
 * Items per form, lowest numbers first. Other writes wait for it: half a second on a busy PostgreSQL with two
 * cores. The message says that some items are left.
 */
const MAX_RENAMED = 500;

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface Renamed extends ChangedMany {
  /** Whether items are left that still have the name. */
  readonly hasMore: boolean;
}

export async function renameTag(
  transaction: KyselyTransaction,
  { from, to }: Rename,
  author: number,
  limit: number = MAX_RENAMED,
): Promise<Renamed> {
  const { condition } = await matchFacet(transaction, 'tag', from);
  // Of another spelling, the items that an earlier form has renamed match too.
  const isRespelled = toFacetKey(from) === toFacetKey(to);
  const tag = isRespelled ? sql`${condition} and tag <> ${to}` : condition;
  const { rows } = await sql<{ number: number }>`select distinct item_number as number
    from item_tags where ${tag} order by item_number limit ${limit + 1}`.execute(transaction);
  const numbers = rows.slice(0, limit).map(({ number }) => number);
  const operation = { kind: 'renamed', what: 'tag', from, to } as const;
  const done = await changeMany(transaction, numbers, (item) => withTag(item, from, to), {
    author,
    operation,
  });
  return { ...done, hasMore: rows.length > limit };
}

/** An item that has both tags keeps one of them. */
export function withTag<T extends ItemInput>(item: T, from: string, to: string): T {
  const tags = item.tags.map((tag) => (toFacetKey(tag) === toFacetKey(from) ? to : tag));
  const isNew = tags.some((tag, at) => tag !== item.tags[at]);
  if (!isNew) return item;
  const key = toFacetKey(to);
  const first = tags.findIndex((tag) => toFacetKey(tag) === key);
  return { ...item, tags: tags.filter((tag, at) => at === first || toFacetKey(tag) !== key) };
}
