/**
 * By what later files know an item, besides its name and its location: the references that files have for it, the rows
 * without a reference that have added it, and its number in another collection whose export was imported. So a thing
 * is known after it was moved or renamed, here or in the file.
 */
import type { Kysely } from 'kysely';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';

export interface Source {
  /** Of a reference, the kind of file that it belongs to: two lists have numbers of their own. Empty for any kind. */
  readonly kind: string;
  readonly text: string;
}

/** The kind of a row without a reference. Its text is a digest: it outlives a name that is removed for ever. */
export const ROW = 'row';
/** The kind of a number in the export of a collection, with the time at which the item was added. */
export const NUMBER = 'number';

export function isReference({ kind }: Source): boolean {
  return kind !== ROW && kind !== NUMBER;
}

/** Whether two sources are of the same kind of file. */
export function isSameKind(one: Source, other: Source): boolean {
  if (one.kind === other.kind) return true;
  return isReference(one) && isReference(other) && (one.kind === '' || other.kind === '');
}

/** The sources of items that exist, by their texts. */
export async function findBySource(
  read: Kysely<Schema>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly (Source & { number: number; name: string })[]>> {
  if (texts.length === 0) return new Map();
  const rows = await read
    .selectFrom('item_sources')
    .innerJoin('items', 'items.number', 'item_number')
    .select(['source as text', 'item_sources.kind', 'number', 'name'])
    .where('source', 'in', texts)
    .orderBy('number')
    .execute();
  return Map.groupBy(rows, ({ text }) => text);
}

/** The sources of the items, by their numbers. */
export async function sourcesOf(
  read: Kysely<Schema>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly Source[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await read
    .selectFrom('item_sources')
    .select(['source as text', 'kind', 'item_number as number'])
    .where('item_number', 'in', numbers)
    .orderBy('source')
    .execute();
  return Map.groupBy(rows, ({ number }) => number);
}

/** Remembers sources of items for later files. */
export async function rememberSources(
  transaction: KyselyTransaction,
  found: readonly (Source & { readonly number: number })[],
): Promise<void> {
  if (found.length === 0) return;
  await transaction
    .insertInto('item_sources')
    .values(found.map(({ text: source, kind, number }) => ({ source, kind, item_number: number })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The references of the items, by their numbers: for people, not the rows and numbers of other files. */
export async function referencesOf(
  read: Kysely<Schema>,
  items: readonly { readonly number: number }[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const sources = await sourcesOf(
    read,
    items.map(({ number }) => number),
  );
  return new Map(
    [...sources].map(([number, own]) => {
      return [number, [...new Set(own.filter(isReference).map(({ text }) => text))]];
    }),
  );
}
