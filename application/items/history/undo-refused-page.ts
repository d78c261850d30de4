/** The page for a change that cannot be undone. */
import { type Html, html } from 'seeother';
import { editHref, historyHref, href } from '../../links.ts';
import { formatNumber, timeElement } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { Refusal } from '../events/change-refused.ts';
import { describeLent, fieldLabel, nameOf } from '../events/event-text.ts';
import type { ItemEvent } from '../events/item-events.ts';

export interface UndoRefusedView {
  readonly viewer: Viewer;
  readonly event: ItemEvent;
  readonly refusal: Refusal;
  /** Later changes of the same item, newest first. */
  readonly later: readonly ItemEvent[];
}

export function undoRefusedPage({ viewer, event, refusal, later }: UndoRefusedView): Html {
  const { number } = event;
  return layout({
    title: 'This change can’t be undone – Items',
    viewer,
    section: 'items',
    main: html`<h1>This change can’t be undone</h1>
${explain(refusal, event, later)}
<p>Nothing was changed.</p>
<h2>What you can do now</h2>
<ul>
${refusal.kind === 'changed since' || refusal.kind === 'quantity' ? html`<li><a href="${editHref(number)}">Edit ${nameOf(event)}</a>.</li>\n` : null}<li>Show <a href="${historyHref(number)}">its history</a>.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}

function explain(refusal: Refusal, event: ItemEvent, later: readonly ItemEvent[]): Html {
  switch (refusal.kind) {
    case 'changed since':
      return html`<p>These fields were changed again since:</p>
<ul>
${refusal.fields.map((field) => {
  const last = later.find(({ changes }) => changes[field] !== undefined);
  return html`<li>${fieldLabel(field, event.changes.names)}${last === undefined ? null : html`, by ${last.by ?? 'somebody'} on ${timeElement(last.at)}`}</li>\n`;
})}</ul>`;
    case 'quantity':
      return html`<p>The quantity is now ${formatNumber(refusal.quantity)}, and would be out of range.</p>`;
    case 'lent':
      return html`<p>More would be lent than there is. ${describeLent(refusal.item)}: return what is lent first.</p>`;
    case 'many files':
      return html`<p>The item has as many photos and documents as it can have. Remove some first.</p>`;
    case 'already undone':
      return html`<p>It was undone before.</p>`;
    case 'conflict':
      return html`<p>The item was changed since it was added. To remove it, delete it.</p>`;
    case 'missing':
      return html`<p>The item was deleted since. Restore it first.</p>`;
    default:
      return html`<p>What was there before was removed for ever.</p>`;
  }
}
