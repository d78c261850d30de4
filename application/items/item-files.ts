/**
 * The photos and documents of an item, in their order. The first photo is the picture of the item. Their bytes are in
 * the file store; what is served is one of three pictures that were made of a photo, or a document as it was sent.
 */
import type { Selectable } from 'kysely';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';

type Row = Selectable<Schema['item_files']>;

export interface ItemFile
  extends Pick<Row, 'id' | 'position' | 'kind' | 'name' | 'caption' | 'type' | 'size'> {
  readonly number: number;
  /** The picture of a page and its pixels; null while it is being made, and of a document. */
  readonly page: { readonly hash: string; readonly width: number; readonly height: number } | null;
  /** The hash of the picture of a list. */
  readonly listHash: string | null;
  /** Of the largest picture, or of the document. */
  readonly hash: string | null;
  /** In the file store, what was sent, if it was kept beside the pictures. */
  readonly original: string | null;
  /** Of the file store, by the hash of the content. */
  readonly stored: ReadonlyMap<string, string>;
}

export interface ItemFiles {
  /** Those that are there, in their order. */
  readonly ofItem: (number: number) => Promise<readonly ItemFile[]>;
  /** Null for one that was removed, and for one of an item that is not there. */
  readonly find: (number: number, id: number) => Promise<ItemFile | null>;
  /** The pictures of a list by the ids of their photos: where each is in the file store. */
  readonly findSmall: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
}

export function createItemFiles({
  read,
  statement,
}: Pick<Database, 'read' | 'statement'>): ItemFiles {
  const ofItem = statement(
    (read, { number }: Placeholders<{ readonly number: number }>) =>
      read
        .selectFrom('item_files')
        .selectAll('item_files')
        .where('item_number', '=', number)
        .where('removed_at', 'is', null)
        .orderBy('position'),
    toItemFile,
  );
  const find = statement(
    (read, { number, id }: Placeholders<{ readonly number: number; readonly id: number }>) =>
      read
        .selectFrom('item_files')
        .innerJoin('items', 'items.number', 'item_files.item_number')
        .selectAll('item_files')
        .where('item_files.id', '=', id)
        .where('item_number', '=', number)
        .where('removed_at', 'is', null),
    toItemFile,
  );
  return {
    ofItem: async (number) => ofItem.all({ number }),
    find: async (number, id) => find.first({ number, id }),
    async findSmall(ids) {
      if (ids.length === 0) return new Map();
      const rows = await read
        .selectFrom('item_files')
        .select(['id', 'list_file'])
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.flatMap((row) => (row.list_file ? [[row.id, row.list_file]] : [])));
    },
  };
}

export function toItemFile(row: Row): ItemFile {
  const { id, position, kind, name, caption, type, size, page_hash, width, height } = row;
  const hash = kind === 'photo' ? row.kept_hash : kind === 'waiting' ? null : row.sha256;
  const pairs = [
    [hash, row.file],
    [page_hash, row.page_file],
    [row.list_hash, row.list_file],
  ].flatMap(([key, file]) => (key && file ? [[key, file] as const] : []));
  return {
    ...{ id, position, kind, name, caption, type, size, hash },
    number: row.item_number,
    page:
      page_hash === null || width === null || height === null
        ? null
        : { hash: page_hash, width, height },
    listHash: row.list_hash,
    original: row.original,
    stored: new Map(pairs),
  };
}

/** Whether pages show it as a picture, now or soon. */
export function isPhoto({ kind }: Pick<ItemFile, 'kind'>): boolean {
  return kind === 'photo' || kind === 'waiting';
}

/**
 * What could not be decoded is as it was sent, with the place where it was taken: for those with an account. Everything
 * else is for everybody who reads the item.
 */
export function filesSeenBy(hasAccount: boolean, files: readonly ItemFile[]): readonly ItemFile[] {
  return hasAccount ? files : files.filter(({ kind }) => kind !== 'failed');
}

/** What `items.picture` says beside the picture of the list. */
export const NO_PICTURE = 'no picture';
const WAITING = 'waiting';

/**
 * Of `items.picture`: the file and the hash of the picture of a list; `waiting` while it is being made; `none` of an
 * item with documents alone; null of an item without files.
 */
export type ListPicture =
  | { readonly file: number; readonly hash: string }
  | typeof WAITING
  | 'none'
  | null;

export function parsePicture(text: string | null): ListPicture {
  if (text === null) return null;
  if (text === NO_PICTURE) return 'none';
  if (text === WAITING) return WAITING;
  const [file = '', hash = ''] = text.split(' ');
  return { file: Number(file), hash };
}

/** Call it after each change of the files of items that the caller has locked, and after items were restored. */
export async function refreshPictures(
  transaction: KyselyTransaction,
  numbers: readonly number[],
): Promise<void> {
  const rows = await transaction
    .selectFrom('item_files')
    .select(['item_number', 'id', 'kind', 'list_hash'])
    .where('item_number', 'in', numbers)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute();
  const items = await transaction
    .selectFrom('items')
    .select(['number', 'picture'])
    .where('number', 'in', numbers)
    .execute();
  const byItem = Map.groupBy(rows, ({ item_number }) => item_number);
  for (const { number, picture: before } of items) {
    const picture = toPicture(byItem.get(number) ?? []);
    if (picture !== before)
      await transaction
        .updateTable('items')
        .set({ picture })
        .where('number', '=', number)
        .execute();
  }
}

function toPicture(files: readonly Pick<Row, 'id' | 'kind' | 'list_hash'>[]): string | null {
  if (files.length === 0) return null;
  const first = files.find(isPhoto);
  if (first === undefined) return NO_PICTURE;
  return first.list_hash === null ? WAITING : `${first.id} ${first.list_hash}`;
}
