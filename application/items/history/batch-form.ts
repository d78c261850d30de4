/** The button that undoes a batch, on its page and in the history of all items. */
import { blankForm, formTag, type Html, html } from 'seeother';
import { undoBatchAction } from '../../links.ts';
import { buttonForm } from '../../site/flash-message.ts';
import { formatNumber } from '../../site/format.ts';
import type { Batch } from '../events/batches.ts';

export function undoBatchForm({ id, events, undone }: Batch): Html {
  const label = undone === 0 ? 'Undo all' : 'Undo the rest';
  return formTag(
    blankForm(buttonForm),
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
