/** The history of one item, and the deleted items that can be restored. */
import { type Href, type Html, html } from 'seeother';
import { historyHref, href, itemHref, removeItemHref } from '../../links.ts';
import { timeElement } from '../../site/format.ts';
import { layout, mayChangeItems, seesLinksToRemove, type Viewer } from '../../site/layout.ts';
import { eventList } from '../events/event-list.ts';
import type { EventPage, ItemEvent } from '../events/item-events.ts';

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
${page.events.length === 0 ? null : eventList(page.events, { canUndo: mayChangeItems(viewer), viewer, canRemove: canRemove && deletion === null })}
${page.next === null && added !== null && page.events.at(-1)?.kind !== 'added' ? html`<p>Added ${timeElement(added.at)}${added.by === null ? '' : ` by ${added.by}`}.</p>` : null}
${olderLink(page, (before) => historyHref(number, before))}`,
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
${page.events.length === 0 ? html`<p class="empty">The bin is empty. What you delete in the <a href="${href('/items')}">list</a> comes here.</p>` : eventList(page.events, { canUndo: true, viewer, showsItem: true })}
${olderLink(page, (before) => href('/items/bin', {}, { before }))}`,
  });
}

export function olderLink<Place>(
  { next }: { readonly next: Place | null },
  to: (place: Place) => Href,
): Html | null {
  if (next === null) return null;
  return html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${to(next)}">Older →</a></li></ul></nav>`;
}
