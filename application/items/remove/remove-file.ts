/**
 * Removes a file for ever: its name and captions from the history, and its bytes with the next sweep, also those of the
 * pictures that were made of it. That it was there, and who added it, stays.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import { changeBy, refuseChange, requireItem } from '../events/change-item.ts';
import type { RecordedFile } from '../events/file-changes.ts';
import { recordEvent, selectEvents, toEvent } from '../events/item-events.ts';
import { refreshPictures } from '../item-files.ts';
import { removeCopies } from './remove-copies.ts';

export async function removeFileForEver(
  transaction: KyselyTransaction,
  number: number,
  id: number,
  author: number,
): Promise<void> {
  const item = await requireItem(transaction, number);
  const row = await transaction
    .selectFrom('item_files')
    .select(['name', 'caption', 'removed_at'])
    .where('id', '=', id)
    .where('item_number', '=', number)
    .executeTakeFirst();
  if (row === undefined || row.removed_at === '') refuseChange({ kind: 'gone' });
  await transaction
    .updateTable('item_files')
    .set({ name: '', caption: '', removed_at: '' })
    .where('id', '=', id)
    .execute();
  const texts = new Set([row.name, row.caption]);
  const events = await selectEvents(transaction)
    .where('item_events.item_number', '=', number)
    .where('item_events.kind', '=', 'files')
    .execute();
  for (const { id: event, changes } of events.map(toEvent)) {
    if (!changes.files?.flat().some((file) => file.id === id)) continue;
    const without = (file: RecordedFile) => {
      if (file.id !== id) return file;
      texts.add(file.caption);
      return { ...file, name: '', caption: '' };
    };
    const files = changes.files.map((some) => some.map(without));
    await transaction
      .updateTable('item_events')
      .set({ changes: JSON.stringify({ ...changes, files }) })
      .where('id', '=', event)
      .execute();
  }
  const version = item.version + 1;
  await transaction.updateTable('items').set({ version }).where('number', '=', number).execute();
  await refreshPictures(transaction, [number]);
  const removal = { kind: 'value removed', reason: 'file' } as const;
  await recordEvent(transaction, { ...item, version }, changeBy(author), removal);
  await removeCopies(transaction, number, [...texts]);
}
