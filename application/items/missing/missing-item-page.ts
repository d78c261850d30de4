/** The pages for a number that no item has: never given, or that of a deleted item. */
import { formTag, type Html, html } from 'seeother';
import { action, historyHref, href, itemHref, removeItemHref } from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { timeElement } from '../../site/format.ts';
import {
  layout,
  mayChangeItems,
  seesHistory,
  seesLinksToRemove,
  type Viewer,
} from '../../site/layout.ts';
import type { ItemEvent } from '../events/item-events.ts';

export interface DeletedItemView {
  readonly viewer: Viewer;
  readonly deletion: ItemEvent;
}

export function deletedItemPage({ viewer, deletion }: DeletedItemView): Html {
  const { number, kind, by, at, deleted } = deletion;
  const isKnown = seesHistory(viewer);
  const done = kind === 'removed' ? 'removed for ever' : 'deleted';
  const hasName = isKnown && deletion.itemName !== '';
  const restore = action('/items/:number<int>/restore', { number });
  return layout({
    title: 'Deleted item – Items',
    viewer,
    main: html`<h1>${hasName ? deletion.itemName : `Item ${number}`} was ${done}</h1>
<p>${by ?? 'Somebody'} ${kind === 'removed' ? 'removed' : 'deleted'} ${hasName ? `item ${number}` : 'it'} on ${timeElement(at)}. ${deleted === null ? 'It can no longer be restored.' : 'It can be restored for 30 days.'}</p>
${deleted !== null && mayChangeItems(viewer) ? html`${formTag(openButton(viewer), html`<button>Restore</button>`, { action: restore })}\n` : null}<h2>What you can do now</h2>
<ul>
${deleted !== null && viewer === null ? html`<li><a href="${href('/login', {}, { next: itemHref(number) })}">Log in</a> to restore it.</li>\n` : null}${isKnown ? html`<li>Show <a href="${historyHref(number)}">its history</a>.</li>\n` : null}${kind === 'deleted' && seesLinksToRemove(viewer) ? html`<li><a href="${removeItemHref(number)}">Remove it for ever…</a></li>\n` : null}<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}

/** A 404 that names the missing thing. */
export function missingItemPage(
  viewer: Viewer,
  asked: number,
  range: { readonly lowest: number; readonly highest: number } | null,
  /** Whether there was an item with the number. */
  isGiven: boolean,
): Html {
  return layout({
    title: 'Item not found',
    viewer,
    main: html`<h1>Item not found</h1>
<p>${isGiven ? `Item ${asked} was deleted.` : `There is no item with the number ${asked} yet.`} ${range === null ? 'There are no items yet.' : `The items here have numbers from ${range.lowest} to ${range.highest}.`}</p>
<h2>What you can do now</h2>
<ul>
<li>Check the number in the address.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
${mayChangeItems(viewer) ? html`<li><a href="${href('/items/new')}">Add an item</a>.</li>\n` : null}</ul>`,
  });
}
