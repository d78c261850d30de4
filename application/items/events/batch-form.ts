/** The button that undoes a batch, on its page and in the history of all items. */
import { formTag, type Html, html } from 'seeother';
import { undoBatchAction } from '../../links.ts';
import { type OpenedBy, openButton } from '../../site/button-form.ts';
import { formatNumber } from '../../site/format.ts';
import type { Batch } from './batches.ts';

export function undoBatchForm({ id, events, undone }: Batch, viewer: OpenedBy): Html {
  const label = undone === 0 ? 'Undo all' : 'Undo the rest';
  return formTag(
    openButton(viewer),
    html`<button class="quiet" aria-describedby="batch-${id}">${events === 1 ? 'Undo' : label}</button>`,
    { action: undoBatchAction(id) },
  );
}

/** After the time of a batch. */
export function undoneText({ events, undone }: Batch): string {
  if (undone === 0) return '';
  return undone < events
    ? ` · ${formatNumber(undone)} of ${formatNumber(events)} undone`
    : ' · undone';
}
