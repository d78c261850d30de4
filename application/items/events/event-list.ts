/** A list of events, newest first, each with a button that undoes it. */
import { type Html, html, onceField } from 'seeother';
import { action, batchHref, itemHref, removeValueHref } from '../../links.ts';
import { type OpenedBy, openButton } from '../../site/button-form.ts';
import { clockElement, timeElement } from '../../site/format.ts';
import { changeList, describeEvent, nameOf } from './event-text.ts';
import { lacksValues } from './item-changes.ts';
import type { ItemEvent } from './item-events.ts';
import { removableOf } from './old-values.ts';

export interface EventListOptions {
  /** Only users who are logged in can undo. */
  readonly canUndo: boolean;
  /** For the events of several items. */
  readonly showsItem?: boolean;
  /** Below the heading of its day, a record has only the time. */
  readonly isBelowDay?: boolean;
  /** Why an event cannot be undone. Such an event has no button. */
  readonly refusalOf?: (event: ItemEvent) => string | null;
  /** Only administrators can remove old values for ever. */
  readonly canRemove?: boolean;
  /** Whose the forms are, each with a key of its own; or the field with a key for all of them. */
  readonly viewer?: OpenedBy;
  readonly once?: Html;
}

export function eventList(events: readonly ItemEvent[], options: EventListOptions): Html {
  return html`<ul class="records history">
${events.map((event) => eventRecord(event, options))}</ul>`;
}

export function eventRecord(event: ItemEvent, options: EventListOptions): Html {
  const { canUndo, canRemove = false, showsItem = false, isBelowDay = false } = options;
  const { refusalOf = () => null, viewer = null, once } = options;
  const { id, number, by, at, kind, reason, changes, undoneBy, batch } = event;
  const link = showsItem ? html`<a href="${itemHref(number)}">${nameOf(event)}</a>` : undefined;
  const what = describeEvent(event, link);
  const refusal = refusalOf(event);
  const hasBatchLink = batch !== null && !showsItem;
  return html`<li>
<div>
<p><span id="event-${id}"><strong>${by ?? (kind === 'added' ? 'This site' : 'Somebody')}</strong> ${what}</span>${reason === '' || kind === 'value removed' ? null : html`: “${reason}”`}</p>
${saysItAll(event) ? null : changeList(changes)}
<p class="details">${isBelowDay ? clockElement(at) : timeElement(at)}${undoneBy === null ? null : ' · undone'}${hasBatchLink ? html` · <a href="${batchHref(batch)}">with other items</a>` : null}${canRemove && removableOf(event).length > 0 ? html` · <a href="${removeValueHref(event)}" aria-describedby="event-${id}">Remove old values…</a>` : null}</p>
${refusal === null ? null : html`<p class="details">${refusal}</p>\n`}</div>
${canUndo && refusal === null && isUndoable(event, showsItem) ? undoForm(event, once ?? html`${onceField(openButton(viewer))}`) : null}
</li>
`;
}

/** The sentence already contains the loan. */
function saysItAll({ kind, undoes }: ItemEvent): boolean {
  return undoes === null && (kind === 'lent' || kind === 'returned');
}

function isUndoable(
  { id, kind, undoneBy, deleted, changes }: ItemEvent,
  isOfSeveralItems: boolean,
): boolean {
  if (undoneBy !== null) return false;
  if (kind === 'deleted') return deleted !== null;
  // The page of the item has a Delete button, which does the same.
  // The addition of a single item has a negative id, and no address.
  if (kind === 'added') return isOfSeveralItems && id > 0;
  return kind === 'restored' || (Object.keys(changes).length > 0 && !lacksValues(changes));
}

function undoForm({ id, number, kind }: ItemEvent, once: Html): Html {
  const path = action('/items/:number<int>/history/:event<int>/undo', { number, event: id });
  return html`<form method="post" action="${path}">${once}<button class="quiet" aria-describedby="event-${id}">${kind === 'deleted' ? 'Restore' : 'Undo'}</button></form>`;
}
