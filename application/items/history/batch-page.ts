/** The page of a batch: its changes, and which of them can still be undone. */
import { type Html, html } from 'seeother';
import { batchHref, editHref, href } from '../../links.ts';
import { formatCount, formatNumber, timeElement } from '../../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import { undoBatchForm, undoneText } from '../events/batch-form.ts';
import { capitalize, describeOperation } from '../events/batch-text.ts';
import { type Batch, countItems } from '../events/batches.ts';
import type { Refusal } from '../events/change-refused.ts';
import { eventList } from '../events/event-list.ts';
import { fieldLabel, nameOf } from '../events/event-text.ts';
import type { EventPage, ItemEvent } from '../events/item-events.ts';
import { olderLink } from './history-page.ts';
import type { LeftEvent } from './undo-batch.ts';

export interface BatchView {
  readonly viewer: Viewer;
  readonly batch: Batch;
  readonly page: EventPage;
  /** Why changes cannot be undone now, by the ids of their events. */
  readonly refusals: ReadonlyMap<number, Refusal>;
}

export function batchPage({ viewer, batch, page, refusals }: BatchView): Html {
  const title = capitalize(describeOperation(batch.operation, countItems(batch)));
  const canUndo = mayChangeItems(viewer);
  return layout({
    title: `${title} – Items`,
    viewer,
    section: 'history',
    main: html`<p class="back"><a href="${href('/items/history')}">← History</a></p>
<h1 id="batch-${batch.id}">${title}</h1>
<p class="details">${batch.by ?? 'Somebody'}, ${timeElement(batch.at)}${undoneText(batch)}</p>
${canUndo && batch.undone < batch.events ? html`<div class="item-actions">${undoBatchForm(batch, viewer)}</div>` : null}
${eventList(page.events, {
  canUndo,
  viewer,
  showsItem: true,
  refusalOf: (event) => {
    const refusal = refusals.get(event.id);
    return refusal === undefined ? null : `Can’t be undone: ${describeRefusal(refusal, event)}.`;
  },
})}
${olderLink(page, (before) => batchHref(batch.id, before))}`,
  });
}

export interface BatchRefusedView {
  readonly viewer: Viewer;
  readonly batch: Batch;
  readonly left: readonly LeftEvent[];
  /** Of the whole batch; null if each change was refused for itself. */
  readonly refusal: Refusal | null;
}

export function batchRefusedPage({ viewer, batch, left, refusal }: BatchRefusedView): Html {
  const shown = left.slice(0, MAX_SHOWN);
  return layout({
    title: 'This can’t be undone – Items',
    viewer,
    section: 'history',
    main: html`<h1>This can’t be undone</h1>
${
  left.length === 0
    ? html`<p>${describeWhole(refusal)} Nothing was changed.</p>`
    : html`<p>Nothing was changed. These changes can’t be undone:</p>
<ul>
${shown.map(({ event, refusal }) => html`<li>${refusal.kind === 'missing' ? nameOf(event) : html`<a href="${editHref(event.number)}">${nameOf(event)}</a>`}: ${describeRefusal(refusal, event)}</li>\n`)}</ul>
${left.length > shown.length ? html`<p>And ${formatCount(left.length - shown.length, 'other', 'others')}.</p>` : null}`
}
<h2>What you can do now</h2>
<ul>
<li>Show <a href="${batchHref(batch.id)}">all that was changed</a>.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}

const MAX_SHOWN = 50;

function describeWhole(refusal: Refusal | null): string {
  if (refusal?.kind === 'place changed since')
    return 'The place was renamed, moved or removed again since. Undo that first.';
  if (refusal?.kind === 'place taken')
    return `There is another place “${refusal.path}” by now. Rename that first.`;
  return 'It was undone before.';
}

/** After a colon. */
function describeRefusal(refusal: Refusal, { changes }: Pick<ItemEvent, 'changes'>): string {
  switch (refusal.kind) {
    case 'changed since': {
      const fields = refusal.fields.map((field) => fieldLabel(field, changes.names).toLowerCase());
      return `${fields.join(' and ')} ${fields.length === 1 && fields[0] !== 'tags' ? 'was' : 'were'} changed again since`;
    }
    case 'quantity':
      return `the quantity is now ${formatNumber(refusal.quantity)}, and would be out of range`;
    case 'lent':
      return 'more would be lent than there is: return some first';
    case 'missing':
      return 'the item was deleted since';
    case 'conflict':
      return 'the item was changed since it was added';
    case 'already undone':
      return 'it was undone before';
    default:
      return 'what was there before was removed for ever';
  }
}
