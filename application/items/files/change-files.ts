/**
 * Adds, describes, orders and removes the files of an item. Each change is an event of the item's history, and can be
 * undone; none conflicts with an edit of the item, or with other files that are added meanwhile. A removed file keeps
 * its row and its bytes for as long: see sweep-files.ts.
 */
import type { Insertable } from 'kysely';
import type { UploadedFile } from 'seeother/files';
import { nextNumber } from '../../database/counter.ts';
import type { KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import { changeBy, refuseChange, requireItem } from '../events/change-item.ts';
import type { FileChanges, RecordedFile } from '../events/file-changes.ts';
import { recordEvent } from '../events/item-events.ts';
import { isPhoto, refreshPictures } from '../item-files.ts';
import type { Authorship, StoredItem } from '../stored-item.ts';
import { headOf, MAX_FILES_OF_ITEM } from './check-files.ts';

/** Has the pictures of a photo made, after the commit. Null where no pictures can be made. */
export type MakeLater = ((transaction: KyselyTransaction, id: number) => Promise<void>) | null;

interface Adding {
  readonly author: number | null;
  readonly makeLater: MakeLater;
}

/** Adds files, one at least, to an item that the same transaction has created: that is part of its addition. */
export async function addFirstFiles(
  transaction: KyselyTransaction,
  number: number,
  sent: readonly UploadedFile[],
  adding: Adding,
): Promise<void> {
  await insertFiles(transaction, number, sent, adding, new Date().toISOString());
  await refreshPictures(transaction, [number]);
}

/** Adds at least one file, which `checkFiles` has seen, behind the others. Resolves to the id of the event. */
export async function addFiles(
  transaction: KyselyTransaction,
  number: number,
  sent: readonly UploadedFile[],
  {
    author,
    makeLater,
    batch = null,
  }: Adding & { readonly author: number; readonly batch?: number | null },
): Promise<number> {
  const item = await requireItem(transaction, number);
  const change = changeBy(author, batch);
  const added = await insertFiles(transaction, number, sent, { author, makeLater }, change.at);
  return record(transaction, item, change, [[], added]);
}

async function insertFiles(
  transaction: KyselyTransaction,
  number: number,
  sent: readonly UploadedFile[],
  { author, makeLater }: Adding,
  at: string,
): Promise<readonly RecordedFile[]> {
  const last = await requireRoom(transaction, number, sent.length);
  // One order of locks for all forms with files, or two at once deadlock on PostgreSQL: the counter of events, which an
  // edit with files holds already, then the contents, then the counter of files.
  await nextNumber(transaction, 'item events', 0);
  const kept: string[] = [];
  for (const file of sent) kept.push(await file.keep(transaction));
  const first = await nextNumber(transaction, 'item files', sent.length);
  const added: RecordedFile[] = [];
  for (const [index, file] of sent.entries()) {
    const [id, position] = [first + index, last + 1 + index];
    const row = { id, item_number: number, position, file: kept[index] ?? '', added_at: at };
    const isPhoto = await insertFile(transaction, file, row, { author, makeLater });
    added.push({ id, position, name: file.name, caption: '', isPhoto });
  }
  return added;
}

type KeptFile = Pick<
  Insertable<Schema['item_files']>,
  'id' | 'item_number' | 'position' | 'file' | 'added_at'
>;

/** The row of a kept file, which `checkFiles` has seen. Resolves to whether its pictures will be made. */
export async function insertFile(
  transaction: KyselyTransaction,
  sent: UploadedFile,
  row: KeptFile,
  { author, makeLater }: Adding,
): Promise<boolean> {
  const kind = headOf(sent) === null ? 'document' : makeLater === null ? 'failed' : 'waiting';
  const { name, type, size, sha256 } = sent;
  await transaction
    .insertInto('item_files')
    .values({ ...row, kind, name, type, size, sha256, added_by: author })
    .execute();
  if (kind === 'waiting') await makeLater?.(transaction, row.id);
  return kind === 'waiting';
}

/** Refuses files beyond the limit. Resolves to the last position. The item is locked, or new. */
async function requireRoom(
  transaction: KyselyTransaction,
  number: number,
  more: number,
): Promise<number> {
  const { last, there } = await transaction
    .selectFrom('item_files')
    .select(({ fn }) => [
      fn.max('position').as('last'),
      fn.count('id').filterWhere('removed_at', 'is', null).as('there'),
    ])
    .where('item_number', '=', number)
    .executeTakeFirstOrThrow();
  const room = Math.max(0, MAX_FILES_OF_ITEM - Number(there));
  if (more > room) refuseChange({ kind: 'many files', room });
  return Number(last ?? 0);
}

export interface FileChange {
  readonly caption?: string;
  /** The caption that the form shows: another one by now is a conflict. */
  readonly was?: string;
  readonly move?: 'first' | 'earlier' | 'later';
  readonly remove?: boolean;
}

/** Resolves to the id of the event; null if nothing was changed. */
export async function changeFile(
  transaction: KyselyTransaction,
  number: number,
  id: number,
  asked: FileChange,
  author: number,
): Promise<number | null> {
  const item = await requireItem(transaction, number);
  const files = await readFiles(transaction, number);
  const at = files.findIndex((one) => one.id === id);
  const file = files[at];
  if (file === undefined) refuseChange({ kind: 'gone' });
  const change = changeBy(author);
  if (asked.remove) {
    await update(transaction, id, { removed_at: change.at });
    return record(transaction, item, change, [[file], []]);
  }
  const caption = asked.caption ?? file.caption;
  if (caption !== file.caption && asked.was !== undefined && asked.was !== file.caption)
    refuseChange({ kind: 'conflict' });
  const after = new Map([[id, { ...file, caption }]]);
  for (const [moved, position] of movesOf(files, at, asked.move))
    after.set(moved.id, { ...moved, ...after.get(moved.id), position });
  const changed = files.filter((one) => {
    const { caption: text, position } = after.get(one.id) ?? one;
    return text !== one.caption || position !== one.position;
  });
  if (changed.length === 0) return null;
  const now = changed.flatMap((one) => after.get(one.id) ?? []);
  for (const one of now)
    await update(transaction, one.id, { caption: one.caption, position: one.position });
  return record(transaction, item, change, [changed, now]);
}

/** New positions: of as few files as possible, so that an undo later finds the others as they are. */
function movesOf(
  files: readonly RecordedFile[],
  at: number,
  move: FileChange['move'],
): readonly (readonly [RecordedFile, number])[] {
  const file = files[at];
  if (file === undefined || move === undefined) return [];
  if (move === 'first') return at === 0 ? [] : [[file, (files[0]?.position ?? 1) - 1]];
  const other = files[move === 'earlier' ? at - 1 : at + 1];
  if (other === undefined) return [];
  return [
    [file, other.position],
    [other, file.position],
  ];
}

/** Reverses a change of files. Throws a `ChangeRefused` if one of them was changed again since. */
export async function undoFiles(
  transaction: KyselyTransaction,
  item: StoredItem,
  [before, after]: FileChanges,
  {
    author,
    undoes,
    batch = null,
  }: { readonly author: number; readonly undoes: number; readonly batch?: number | null },
): Promise<void> {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  const rows = await transaction
    .selectFrom('item_files')
    .selectAll()
    .where('id', 'in', ids)
    .where('item_number', '=', item.number)
    .execute();
  const back = before.filter(({ id }) => !after.some((one) => one.id === id)).length;
  if (back > 0) await requireRoom(transaction, item.number, back);
  const change = changeBy(author, batch);
  const [from, to]: [RecordedFile[], RecordedFile[]] = [[], []];
  // All of them first: the undo of a batch goes on after a refusal.
  const all = ids.map((id) => {
    const [old, now] = [before, after].map((files) => files.find((one) => one.id === id));
    const row = rows.find((one) => one.id === id);
    return { id, old, now, stored: requireUnchanged(row, old, now) };
  });
  for (const { id, old, now, stored } of all) {
    if (old === undefined) {
      await update(transaction, id, { removed_at: change.at });
      from.push(stored);
    } else if (now === undefined) {
      await update(transaction, id, { removed_at: null });
      to.push(stored);
    } else {
      await update(transaction, id, { caption: old.caption, position: old.position });
      from.push(stored);
      to.push({ ...stored, caption: old.caption, position: old.position });
    }
  }
  await record(transaction, item, change, [from, to], undoes);
}

/** The file as it is stored, if it still is as the change that goes from `old` to `now` has left it. */
function requireUnchanged(
  row: (Parameters<typeof toRecorded>[0] & { readonly removed_at: string | null }) | undefined,
  old: RecordedFile | undefined,
  now: RecordedFile | undefined,
): RecordedFile {
  if (row === undefined || row.removed_at === '') refuseChange({ kind: 'gone' });
  const stored = toRecorded(row);
  const isThere = row.removed_at === null;
  const isSame =
    old === undefined ||
    now === undefined ||
    (stored.caption === now.caption && stored.position === now.position);
  if (isThere !== (now !== undefined) || !isSame)
    refuseChange({ kind: 'changed since', fields: ['files'] });
  return stored;
}

async function record(
  transaction: KyselyTransaction,
  item: StoredItem,
  change: Authorship & { readonly author: number },
  files: FileChanges,
  undoes: number | null = null,
): Promise<number> {
  const version = item.version + 1;
  await transaction
    .updateTable('items')
    .set({ version, updated_at: change.at, updated_by: change.author })
    .where('number', '=', item.number)
    .execute();
  await refreshPictures(transaction, [item.number]);
  const event = { kind: 'files', changes: { files }, undoes } as const;
  return recordEvent(transaction, { ...item, version }, change, event);
}

async function update(
  transaction: KyselyTransaction,
  id: number,
  set: {
    readonly caption?: string;
    readonly position?: number;
    readonly removed_at?: string | null;
  },
): Promise<void> {
  await transaction.updateTable('item_files').set(set).where('id', '=', id).execute();
}

/** Those that are there, in their order. The item is locked. */
async function readFiles(
  transaction: KyselyTransaction,
  number: number,
): Promise<readonly RecordedFile[]> {
  const rows = await transaction
    .selectFrom('item_files')
    .select(['id', 'position', 'kind', 'name', 'caption'])
    .where('item_number', '=', number)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute();
  return rows.map(toRecorded);
}

function toRecorded({
  id,
  position,
  kind,
  name,
  caption,
}: Parameters<typeof isPhoto>[0] & Omit<RecordedFile, 'isPhoto'>): RecordedFile {
  return { id, position, name, caption, isPhoto: isPhoto({ kind }) };
}
