/**
 * Makes the pictures of photos after the commit, by the outbox: a job that was interrupted runs again, and one that
 * fails every time is for `doctor` to name. The pictures take the place of what was sent, which has the place where the
 * photo was taken: unless an administrator keeps originals, it is removed in the same transaction.
 */
import type { Updateable } from 'kysely';
import { type Attempt, createOutbox, type Outbox } from 'seeother/database';
import type { Database, KyselyTransaction } from '../../database/kysely.ts';
import { lockRows } from '../../database/locks.ts';
import type { Schema } from '../../database/schema.ts';
import { HEAD_BYTES, readPictureHead } from '../../pictures/picture-head.ts';
import { findPictureLibraries } from '../../pictures/picture-libraries.ts';
import { createPictureMaker, NoPicture, PictureInterrupted } from '../../pictures/picture-maker.ts';
import type { MadePicture } from '../../pictures/picture-task.ts';
import type { ErrorEntry } from '../../settings/error-line.ts';
import { refreshPictures } from '../item-files.ts';
import { lockPlaces } from '../place.ts';
import type { MakeLater } from './change-files.ts';
import { type FileBytes, readBytes, storeJpeg } from './file-bytes.ts';

export interface ItemPictures extends Pick<Outbox<never>, 'start'> {
  readonly makeLater: MakeLater;
  /** Does once what `start` does: for tests. */
  readonly run: (at?: Date) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Bytes of a photo that is tried. */
export const MAX_PHOTO = 50_000_000;

/** Attempts whose process was ended from outside. What is short of memory because of the photo is so again. */
const MAX_INTERRUPTED = 3;

/** Milliseconds: more than the limit of the process for one photo. */
const LIMITS = { timeout: 120_000, concurrency: 1 };

export function createItemPictures(
  { door, read, write }: Pick<Database, 'door' | 'read' | 'write'>,
  files: FileBytes,
  {
    keepOriginals,
    report,
    libraries = findPictureLibraries(),
  }: {
    readonly keepOriginals: boolean;
    readonly report: (entry: ErrorEntry) => void;
    readonly libraries?: ReturnType<typeof findPictureLibraries>;
  },
): ItemPictures {
  const maker = libraries === null ? null : createPictureMaker(libraries);

  async function makePictures(
    { id }: { readonly id: number },
    { attempt }: Pick<Attempt, 'attempt'>,
  ): Promise<void> {
    const row = await findWaiting(read, id);
    if (row === undefined || maker === null) return;
    const bytes = await readBytes(files, row.file, MAX_PHOTO);
    const head = bytes && readPictureHead(bytes.subarray(0, HEAD_BYTES));
    try {
      if (bytes === null || head === null) throw new NoPicture('it is no picture any more');
      const made = await maker.make({ bytes, format: head.format });
      const name = `${row.name.replace(/\.\w{1,5}$/, '')}.jpg`;
      const store = (picture: MadePicture) => storeJpeg(files, name, picture.bytes);
      const stored = {
        ...{ kept: await store(made.kept), page: await store(made.page) },
        list: await store(made.list),
      };
      await finish(id, row.item_number, async (transaction) => ({
        kind: 'photo',
        file: await stored.kept.keep(transaction),
        kept_hash: stored.kept.sha256,
        page_file: await stored.page.keep(transaction),
        page_hash: stored.page.sha256,
        ...{ width: made.page.width, height: made.page.height },
        list_file: await stored.list.keep(transaction),
        list_hash: stored.list.sha256,
        // That of a place has no page to download it from.
        original: keepOriginals && row.item_number !== 0 ? row.file : null,
      }));
    } catch (error) {
      const isLast = error instanceof PictureInterrupted && attempt >= MAX_INTERRUPTED;
      if (!(error instanceof NoPicture || isLast)) throw error;
      const owner = row.item_number === 0 ? 'a place' : `item ${row.item_number}`;
      const message = `No picture can be made of the file ${id} of ${owner}: ${error.message}.`;
      report({ message });
      await finish(id, row.item_number, async () => ({ kind: 'failed' }));
    }
  }

  async function finish(
    id: number,
    number: number,
    toColumns: (transaction: KyselyTransaction) => Promise<Updateable<Schema['item_files']>>,
  ): Promise<void> {
    await write(async (transaction) => {
      // First, as every change of the item's files does, and of the picture of a place.
      if (number === 0) await lockPlaces(transaction);
      else await lockRows(transaction, 'items', [number]);
      await lockRows(transaction, 'item_files', [id]);
      const row = await findWaiting(transaction, id);
      if (row === undefined) return;
      const columns = await toColumns(transaction);
      await transaction.updateTable('item_files').set(columns).where('id', '=', id).execute();
      if (columns.original === null) await files.remove(row.file, transaction);
      if (number !== 0) await refreshPictures(transaction, [number]);
    });
  }

  const outbox = createOutbox(door, { makePictures }, { ...LIMITS, report });
  return {
    makeLater:
      maker === null
        ? null
        : (transaction, id) => outbox.afterCommit.makePictures(transaction, { id }),
    start: outbox.start,
    run: outbox.run,
    async stop() {
      await Promise.all([outbox.stop(), maker?.close()]);
    },
  };
}

function findWaiting(source: Pick<KyselyTransaction, 'selectFrom'>, id: number) {
  return source
    .selectFrom('item_files')
    .select(['item_number', 'name', 'file'])
    .where('id', '=', id)
    .where('kind', '=', 'waiting')
    .executeTakeFirst();
}
