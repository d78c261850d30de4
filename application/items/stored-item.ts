/**
 * Items as rows, for changes in a transaction. Their words in the search index follow. The item is locked
 * while it is changed, so of two changes at once the second one sees what the first one did.
 */
import type { Writing } from '../database/database.ts';
import { engineOf } from '../database/kysely.ts';
import { BLOCK } from './item-gaps.ts';
import type { ItemInput } from './item-rows.ts';
import { indexRestored, replaceWords } from './item-search.ts';

/** All that is stored of an item but who changed it last. */
export interface StoredItem extends ItemInput {
  readonly number: number;
  readonly version: number;
  readonly createdAt: string;
  readonly createdBy: number | null;
}

/** Who changes an item, and when. */
export interface Change {
  readonly author: number;
  readonly at: string;
}

/** Null if there is no such item. Other changes of the item wait until the transaction ends. */
export async function lockItem(transaction: Writing, number: number): Promise<StoredItem | null> {
  await engineOf(transaction).lockRow(transaction, 'items', 'number', number);
  const row = await transaction
    .selectFrom('items')
    .select(['number', 'name', 'description', 'quantity', 'location', 'version'])
    .select(['created_at as createdAt', 'created_by as createdBy'])
    .where('number', '=', number)
    .executeTakeFirst();
  if (row === undefined) return null;
  const tags = await transaction
    .selectFrom('item_tags')
    .select('tag')
    .where('item_number', '=', number)
    .orderBy('position')
    .execute();
  return { ...row, tags: tags.map(({ tag }) => tag) };
}

/** The item has been locked. Resolves to its new version. */
export async function updateItem(
  transaction: Writing,
  before: StoredItem,
  after: ItemInput,
  { author, at }: Change,
): Promise<number> {
  const { number } = before;
  const version = before.version + 1;
  const { name, description, quantity, location } = after;
  await transaction
    .updateTable('items')
    .set({ name, description, quantity, location, version, updated_at: at, updated_by: author })
    .where('number', '=', number)
    .execute();
  if (after.tags.join() !== before.tags.join()) {
    await transaction.deleteFrom('item_tags').where('item_number', '=', number).execute();
    await insertTags(transaction, number, after.tags);
  }
  await replaceWords(transaction, number, before, after);
  return version;
}

/** Triggers remove its words, and count the gap in the numbers. */
export async function deleteItem(transaction: Writing, number: number): Promise<void> {
  await transaction.deleteFrom('items').where('number', '=', number).execute();
}

/** Brings a deleted item back under its number. */
export async function restoreItem(
  transaction: Writing,
  item: StoredItem,
  { author, at }: Change,
): Promise<void> {
  const { number, name, description, quantity, location, version } = item;
  await transaction
    .insertInto('items')
    .values({
      number,
      name,
      description,
      quantity,
      location,
      version,
      created_at: item.createdAt,
      created_by: item.createdBy,
      updated_at: at,
      updated_by: author,
    })
    .execute();
  await insertTags(transaction, number, item.tags);
  const block = Math.floor((number - 1) / BLOCK);
  await transaction
    .updateTable('item_gaps')
    .set((row) => ({ gone: row('gone', '-', 1) }))
    .where('block', '=', block)
    .execute();
  await transaction
    .deleteFrom('item_gaps')
    .where('block', '=', block)
    .where('gone', '=', 0)
    .execute();
  await indexRestored(transaction, number, item);
}

export async function insertTags(
  transaction: Writing,
  number: number,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((tag, position) => ({ item_number: number, position, tag }));
  await transaction.insertInto('item_tags').values(rows).execute();
}
