/** The history of one item or of all of them, and the deleted items that can be restored. */
import { type Href, type Html, html } from 'seeother';
import { batchHref, historyHref, href, itemHref, removeItemHref } from '../../links.ts';
import { timeElement } from '../../site/format.ts';
import { layout, mayChangeItems, seesLinksToRemove, type Viewer } from '../../site/layout.ts';
import { describeOperation } from '../events/batch-text.ts';
import type { Batch } from '../events/batches.ts';
import { eventList, eventRecord } from '../events/event-list.ts';
import type { EventPage, ItemEvent } from '../events/item-events.ts';
import { undoBatchForm, undoneText } from './batch-form.ts';
import type { HistoryLine, HistoryLines } from './team-history.ts';

export interface ItemHistoryView {
  readonly viewer: Viewer;
  readonly number: number;
  /** The name that the item has now, or had last; its number without one. */
  readonly name: string;
  readonly page: EventPage;
  /** How the item was deleted; null if it is there. */
  readonly deletion: ItemEvent | null;
  /** Who added the item, and when; null if the item was deleted. */
  readonly added: { readonly at: Date; readonly by: string | null } | null;
}

export function itemHistoryPage(view: ItemHistoryView): Html {
  const { viewer, number, name, page, added, deletion } = view;
  const canRemove = seesLinksToRemove(viewer);
  return layout({
    title: `History of ${name} – Items`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${itemHref(number)}">← ${name}</a></p>
<h1>History of ${name} <small class="item-number">No. ${number}</small></h1>
${deletion === null ? null : html`<p>This item was ${deletion.kind === 'removed' ? 'removed for ever' : 'deleted'}.${deletion.kind === 'deleted' && canRemove ? html` <a href="${removeItemHref(number)}">Remove it for ever…</a>` : null}</p>`}
${page.events.length === 0 ? null : eventList(page.events, { canUndo: mayChangeItems(viewer), canRemove: canRemove && deletion === null })}
${page.next === null && added !== null && page.events.at(-1)?.kind !== 'added' ? html`<p>Added ${timeElement(added.at)}${added.by === null ? '' : ` by ${added.by}`}.</p>` : null}
${olderLink(page, (before) => historyHref(number, before))}`,
  });
}

export function historyPage(viewer: Viewer, page: HistoryLines): Html {
  const mayChange = mayChangeItems(viewer);
  return layout({
    title: 'History – Items',
    viewer,
    section: 'history',
    main: html`<h1>History</h1>
<p>Everything that was changed. New items are in the <a href="${href('/items')}">list</a>${mayChange ? html`, and deleted ones in the <a href="${href('/items/bin')}">bin</a>` : null}.</p>
${page.lines.length === 0 ? html`<p class="empty">Nothing was changed yet.</p>` : historyList(page.lines, mayChange)}
${olderLink(page, (before) => href('/items/history', {}, { before }))}`,
  });
}

export function binPage(viewer: Viewer, page: EventPage): Html {
  return layout({
    title: 'Bin – Items',
    viewer,
    section: 'history',
    main: html`<p class="back"><a href="${href('/items/history')}">← History</a></p>
<h1>Bin</h1>
<p>A deleted item can be restored for 30 days.</p>
${page.events.length === 0 ? html`<p class="empty">The bin is empty.</p>` : eventList(page.events, { canUndo: true, showsItem: true })}
${olderLink(page, (before) => href('/items/bin', {}, { before }))}`,
  });
}

function historyList(lines: readonly HistoryLine[], canUndo: boolean): Html {
  return html`<ul class="records history">
${lines.map((line) => ('batch' in line ? batchRecord(line.batch, canUndo) : eventRecord(line.event, { canUndo, showsItem: true })))}</ul>`;
}

function batchRecord(batch: Batch, canUndo: boolean): Html {
  const { id, at, by, operation, events, undone } = batch;
  return html`<li>
<div>
<p id="batch-${id}"><strong>${by ?? 'Somebody'}</strong> <a href="${batchHref(id)}">${describeOperation(operation, events)}</a></p>
<p class="details">${timeElement(at)}${undoneText(batch)}</p>
</div>
${canUndo && undone < events ? undoBatchForm(batch) : null}
</li>
`;
}

export function olderLink(
  { next }: { readonly next: number | null },
  to: (before: number) => Href,
): Html | null {
  if (next === null) return null;
  return html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${to(next)}">Older →</a></li></ul></nav>`;
}
