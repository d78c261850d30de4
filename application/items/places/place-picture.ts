/**
 * Gives a place a picture, or takes it away. The file is a row of `item_files` without an item, so its pictures are
 * made, and it ends 30 days after its removal, as those of items. Each change is a batch of the history with its Undo;
 * it does not count as a change of the place, which a rename would conflict with.
 */
import type { UploadedFile } from 'seeother/files';
import { nextNumber } from '../../database/counter.ts';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { refuseChange } from '../events/change-item.ts';
import { insertFile, type MakeLater } from '../files/change-files.ts';
import { lockPlaces } from '../place.ts';
import { createPlaceBatch, findRow, type PlaceRow } from './change-places.ts';
import { PlaceRefused } from './place-refused.ts';

export interface Picturing {
  readonly id: number;
  /** The picture that the form shows; null for none. */
  readonly was: number | null;
  /** Null removes the picture. */
  readonly sent: UploadedFile | null;
  readonly makeLater: MakeLater;
}

/** Resolves to the batch; null if there is nothing to remove. `checkFiles` has seen the file. */
export async function changePicture(
  transaction: KyselyTransaction,
  { id, was, sent, makeLater }: Picturing,
  author: number,
): Promise<number | null> {
  await lockPlaces(transaction);
  const place = await findRow(transaction, id);
  if (place === undefined || place.key === null)
    throw new PlaceRefused('This place is part of another one by now', null, 409);
  if (place.picture !== was)
    throw new PlaceRefused(
      'The picture was changed meanwhile. Send the form again to replace it',
      null,
      409,
    );
  if (sent === null && place.picture === null) return null;
  const how = sent === null ? 'removed' : place.picture === null ? 'added' : 'replaced';
  const operation = { kind: 'place pictured', path: place.path, how } as const;
  const batch = await createPlaceBatch(transaction, author, operation);
  const picture =
    sent === null ? null : await insertPicture(transaction, sent, { author, makeLater });
  await setPicture(transaction, place, picture, batch);
  return batch;
}

/** Resolves to its id. */
async function insertPicture(
  transaction: KyselyTransaction,
  sent: UploadedFile,
  adding: { readonly author: number; readonly makeLater: MakeLater },
): Promise<number> {
  // Kept before the number is taken: see `insertFiles`.
  const file = await sent.keep(transaction);
  const id = await nextNumber(transaction, 'item files');
  const row = { id, item_number: 0, position: 0, file, added_at: new Date().toISOString() };
  await insertFile(transaction, sent, row, adding);
  return id;
}

/** The place gets back the picture that it had before a change, unless it has another one by now. */
export async function undoPicture(
  transaction: KyselyTransaction,
  place: PlaceRow,
  change: { readonly picture: number | null; readonly picture_after: number | null },
  batch: number,
): Promise<void> {
  if (place.picture !== change.picture_after) refuseChange({ kind: 'place changed since' });
  if (change.picture !== null) {
    const { numUpdatedRows } = await transaction
      .updateTable('item_files')
      .set({ removed_at: null })
      .where('id', '=', change.picture)
      .where('removed_at', '<>', '')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) refuseChange({ kind: 'gone' });
  }
  await setPicture(transaction, place, change.picture, batch);
}

async function setPicture(
  transaction: KyselyTransaction,
  { id, picture: before, ...place }: PlaceRow,
  picture: number | null,
  batch: number,
): Promise<void> {
  const { parent, path, key, kept, merged_into, version } = place;
  await transaction
    .insertInto('place_changes')
    .values({
      ...{ batch, place: id, parent, path, key, kept, merged_into, version },
      ...{ picture: before, picture_after: picture },
    })
    .execute();
  await transaction.updateTable('places').set({ picture }).where('id', '=', id).execute();
  if (before === null) return;
  await transaction
    .updateTable('item_files')
    .set({ removed_at: new Date().toISOString() })
    .where('id', '=', before)
    .execute();
}
