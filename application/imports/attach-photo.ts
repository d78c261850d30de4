/**
 * Attaches the photos of an import, one at a time: its bytes go from the zip to the file store, and then one
 * transaction keeps them, records the change and deletes what was to do. So each is attached once, even if processes
 * are killed or several try at once. A photo that cannot be attached is named in the result, and does not stop the
 * others.
 */
import { createHash } from 'node:crypto';
import { HttpError } from 'seeother';
import { DatabaseUnavailable } from 'seeother/database';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import { requireItem } from '../items/events/change-item.ts';
import { ChangeRefused } from '../items/events/change-refused.ts';
import { addFiles, addFirstFiles, type MakeLater } from '../items/files/change-files.ts';
import { checkFiles, MAX_FILES_OF_ITEM } from '../items/files/check-files.ts';
import type { FileBytes } from '../items/files/file-bytes.ts';
import type { PhotoSummary } from './plan-photos.ts';
import { MAX_SHOWN } from './plan-summary.ts';
import { positionsOf } from './store-plan.ts';
import { openPhotoZip } from './zip/open-photo-zip.ts';
import { type Zip, ZipError, type ZipSource } from './zip/read-zip.ts';

export interface PhotoParts {
  readonly files: FileBytes;
  /** What makes pictures is made after the models. */
  readonly makeLater: () => MakeLater;
}

/** The zip of an import, in the file store; null if it is no longer there. */
export async function findZip(
  { read }: Pick<Database, 'read'>,
  files: FileBytes,
  id: number,
): Promise<ZipSource | null> {
  const row = await read
    .selectFrom('import_zips')
    .select('file')
    .where('import_id', '=', id)
    .executeTakeFirst();
  const kept = row === undefined ? null : await files.find(row.file);
  if (row === undefined || kept === null) return null;
  const { name, size, sha256 } = kept;
  return { name, size, sha256, chunks: (range) => files.read(row.file, range) };
}

export type Photo = Schema['import_photos'];

/** The next one that is to be attached. */
export function findPhoto(
  transaction: KyselyTransaction,
  id: number,
  plan: number,
): Promise<Photo | undefined> {
  const { first, last } = positionsOf(plan);
  return transaction
    .selectFrom('import_photos')
    .selectAll()
    .where('import_id', '=', id)
    .where('position', '>=', first)
    .where('position', '<=', last)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

type Attached = 'added' | 'there' | { readonly problem: string };

/** Whose import it is, if this process still runs it; otherwise null. */
type IsHeld = (
  transaction: KyselyTransaction,
) => Promise<{ readonly author: number; readonly batch: number | null } | null>;

export interface AttachPhoto {
  /** `isHeld` is asked in the transaction. */
  readonly attach: (photo: Photo, isHeld: IsHeld) => Promise<void>;
  /** Frees what was read of the zip. */
  readonly close: () => void;
}

/** Without its table, which may be large. */
interface OpenedZip {
  readonly id: number;
  readonly read: Zip['read'];
  readonly sizes: ReadonlyMap<string, number>;
}

export function createAttachPhoto(
  database: Database,
  { files, makeLater }: PhotoParts,
): AttachPhoto {
  /** Of the import that runs: a process runs one at a time. */
  let opened: OpenedZip | null = null;

  async function openOnce(id: number): Promise<OpenedZip> {
    if (opened?.id === id) return opened;
    const source = await findZip(database, files, id);
    if (source === null) throw new ZipError('The zip is no longer there. Choose it again');
    const { read, files: photos } = await openPhotoZip(source);
    opened = { id, read, sizes: new Map(photos.map(({ path, size }) => [path, size])) };
    return opened;
  }

  /** Stores the bytes, unless the item has them. */
  async function store({ path, name, type, item_number: number }: Photo, zip: OpenedZip) {
    const size = zip.sizes.get(path) ?? 0;
    const alike = await database.read
      .selectFrom('item_files')
      .select('sha256')
      .where('item_number', '=', number)
      .where('removed_at', 'is', null)
      .where('size', '=', size)
      .execute();
    if (alike.length > 0) {
      const hash = createHash('sha256');
      for await (const chunk of zip.read(path)) hash.update(chunk);
      const sha256 = hash.digest('hex');
      if (alike.some((one) => one.sha256 === sha256)) return 'there';
    }
    const file = await files.add({ name, type }, zip.read(path));
    const [refusal] = await checkFiles({ values: { files: [file] } });
    return refusal === undefined ? file : { problem: refusal.message };
  }

  async function tryToStore(photo: Photo) {
    if (photo.item_number === null) return { problem: 'Its row was not imported' };
    try {
      return await store(photo, await openOnce(photo.import_id));
    } catch (error) {
      if (error instanceof ZipError) return { problem: error.message };
      // The file store is away, and comes back.
      if (error instanceof HttpError && error.status === 503)
        throw new DatabaseUnavailable('the file store does not work.', { cause: error });
      throw error;
    }
  }

  async function attach(photo: Photo, isHeld: IsHeld): Promise<void> {
    const stored = await tryToStore(photo);
    await database.write(async (transaction) => {
      const held = await isHeld(transaction);
      if (held === null) return;
      const { numDeletedRows } = await transaction
        .deleteFrom('import_photos')
        .where('import_id', '=', photo.import_id)
        .where('position', '=', photo.position)
        .executeTakeFirst();
      // Another process was faster.
      if (numDeletedRows === 0n) return;
      const result: Attached =
        stored === 'there' || 'problem' in stored
          ? stored
          : await attachTo(transaction, photo.item_number ?? 0, stored, {
              ...held,
              makeLater: makeLater(),
            });
      await note(transaction, photo, result);
    });
  }

  return {
    attach,
    close(): void {
      opened = null;
    },
  };
}

async function attachTo(
  transaction: KyselyTransaction,
  number: number,
  file: Awaited<ReturnType<FileBytes['add']>>,
  { author, batch, makeLater }: { author: number; batch: number | null; makeLater: MakeLater },
): Promise<Attached> {
  try {
    const { version } = await requireItem(transaction, number);
    const has = await transaction
      .selectFrom('item_files')
      .select('id')
      .where('item_number', '=', number)
      .where('removed_at', 'is', null)
      .where('sha256', '=', file.sha256)
      .limit(1)
      .executeTakeFirst();
    if (has !== undefined) return 'there';
    // Of an item that this import has added, they are part of the addition, as in the form that adds an item.
    const isNew = version === 1 && (await isAddedBy(transaction, number, batch));
    if (isNew) await addFirstFiles(transaction, number, [file], { author, makeLater });
    else await addFiles(transaction, number, [file], { author, makeLater, batch });
    return 'added';
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    return {
      problem:
        error.refusal.kind === 'many files'
          ? `Item ${number} has ${MAX_FILES_OF_ITEM} photos and documents already`
          : `Somebody else has deleted item ${number} since the preview`,
    };
  }
}

async function isAddedBy(
  transaction: KyselyTransaction,
  number: number,
  batch: number | null,
): Promise<boolean> {
  const event = await transaction
    .selectFrom('item_events')
    .select('id')
    .where('item_number', '=', number)
    .where('batch', '=', String(batch))
    .where('kind', '=', 'added')
    .executeTakeFirst();
  return event !== undefined;
}

/** The import is locked. */
async function note(
  transaction: KyselyTransaction,
  { import_id: id, name }: Photo,
  result: Attached,
): Promise<void> {
  const { photos } = await transaction
    .selectFrom('imports')
    .select('photos')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const before: PhotoSummary = JSON.parse(photos ?? '{}');
  const after: PhotoSummary =
    typeof result === 'object'
      ? {
          ...before,
          failed: before.failed + 1,
          problems: [...before.problems, { path: name, ...result }].slice(0, MAX_SHOWN),
        }
      : { ...before, [result]: before[result] + 1 };
  await transaction
    .updateTable('imports')
    .set({ photos: JSON.stringify(after) })
    .where('id', '=', id)
    .execute();
}
