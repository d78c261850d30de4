/** The page of one item. */
import { type Html, html, onceField, trustedHtml } from 'seeother';
import {
  action,
  editHref,
  historyHref,
  href,
  itemHref,
  type ListPlace,
  lendHref,
  listHref,
  toPlace,
} from '../../links.ts';
import { type OpenedBy, openButton } from '../../site/button-form.ts';
import { formatNumber, timeElement } from '../../site/format.ts';
import type { Fragment } from '../../site/layout.ts';
import { eventList } from '../events/event-list.ts';
import { fieldLabel, showValue } from '../events/event-text.ts';
import type { ItemEvent } from '../events/item-events.ts';
import { ITEM_FIELDS, type ItemField } from '../item-fields.ts';
import type { Neighbours } from '../item-neighbours.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import type { Item } from '../item-rows.ts';
import { isLow, STATUS_NAMES } from '../item-status.ts';
import { locationLink, stateMark, tagList } from '../item-words.ts';
import { loanBox } from '../lend/lend-page.ts';
import type { Shown } from '../loan.ts';
import { quantityBox } from '../quantity/quantity-page.ts';

/** How many of its changes the page of an item shows. */
export const SHOWN_EVENTS = 5;

export interface ItemView {
  readonly canChange: boolean;
  readonly item: Shown<Item>;
  /** The newest ones; none for a visitor. */
  readonly events: readonly ItemEvent[];
  /** The list that the visitor came from. */
  readonly place: ItemQuery & ListPlace;
  /** In that list; null while too many searches run. */
  readonly neighbours: Neighbours | null;
  readonly now: Date;
}

/** The same for all users who can change items, except for the key of its forms: see `withNewKey`. */
export function itemFragment(view: ItemView): Fragment {
  const { canChange, item, events, place, neighbours, now } = view;
  const once = canChange ? ONCE_FIELD : null;
  return {
    title: `${item.name} – Items`,
    main: html`<div class="item-links">
<p class="back"><a href="${listHref(place, place.page)}">← ${isFiltered(place) ? 'Matching items' : 'All items'}</a></p>
${neighbours === null ? null : neighbourLinks(neighbours, place)}</div>
<h1>${item.name} <small class="item-number">No. ${item.number}</small></h1>
${item.loan === null ? null : loanBox({ item, loan: item.loan, place, now, once })}
${once === null ? null : quantityBox(item, place, { once: BLANK.once })}
<div class="columns">
<div>
${item.description === '' ? null : html`<p class="description">${item.description}</p>`}
<dl class="summary">
${ITEM_FIELDS.map((name) => fieldRow(name, item, once !== null))}
${row('Added', html`${timeElement(item.createdAt)}${by(item.createdBy)}`)}
${item.version === 1 ? null : row('Changed', html`${timeElement(item.updatedAt)}${by(item.updatedBy)}`)}
</dl>
${once === null ? null : itemActions(item, place, once)}
</div>
${
  events.length === 0
    ? null
    : html`<div>
${historySection(item, events, once !== null)}
</div>`
}
</div>`,
  };
}

/**
 * Fields that have a place of their own on the page, or links. Every other one is a row with its text, if it has one.
 */
const OWN_ROWS: {
  readonly [Name in ItemField]?: (item: Shown<Item>, canChange: boolean) => Html | string | null;
} = {
  name: () => null,
  description: () => null,
  quantity: (item, canChange) =>
    canChange
      ? null
      : html`${formatNumber(item.quantity)}${isLow(item) ? html` ${stateMark(STATUS_NAMES.low)}` : null}`,
  location: ({ location }) => locationLink(location),
  tags: ({ tags }) => tagList(tags),
};

function fieldRow(name: ItemField, item: Shown<Item>, canChange: boolean): Html | null {
  const own = OWN_ROWS[name];
  const value = own === undefined ? showValue(item[name]) : own(item, canChange);
  return value === null || value === '' ? null : row(fieldLabel(name), value);
}

/** A placeholder for the key. It is random, so the text of an item cannot contain it. */
const BLANK = openButton(null);
const ONCE_FIELD = html`${onceField(BLANK)}`;

/** The forms of the page share a key: `onlyOnce` tells them apart by their paths and fields. */
export function withNewKey({ main }: Fragment, viewer: OpenedBy): Html {
  const [from, to] = [BLANK.once ?? '', openButton(viewer).once ?? ''];
  return trustedHtml(main.markup.replaceAll(from, to));
}

function neighbourLinks({ previous, next }: Neighbours, place: ListPlace): Html | null {
  if (previous === null && next === null) return null;
  return html`<nav aria-label="Items beside this one">
${previous === null ? null : html`<a rel="prev" href="${itemHref(previous, place)}">← Previous</a>`}
${next === null ? null : html`<a rel="next" href="${itemHref(next, place)}">Next →</a>`}
</nav>
`;
}

function itemActions({ number, loan }: Shown<Item>, place: ListPlace, once: Html): Html {
  const remove = action('/items/:number<int>/delete', { number }, toPlace(place));
  return html`<div class="actions item-actions">
<a class="button" href="${editHref(number, place)}">Edit</a>
${loan === null ? html`<a class="button quiet" href="${lendHref(number, place)}">Lend</a>\n` : null}<a class="button quiet" href="${href('/items/new', {}, { like: number })}"><span>Add another<span class="rest"> like this</span></span></a>
<form method="post" action="${remove}">${once}<button class="quiet">Delete</button></form>
</div>`;
}

function historySection(
  { number }: Shown<Item>,
  events: readonly ItemEvent[],
  canUndo: boolean,
): Html {
  return html`<section aria-labelledby="history-heading">
<h2 id="history-heading">History</h2>
${eventList(events.slice(0, SHOWN_EVENTS), { canUndo, once: ONCE_FIELD })}
<p><a href="${historyHref(number)}">All changes</a></p>
</section>`;
}

function row(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function by(username: string | null): string {
  return username === null ? '' : ` by ${username}`;
}
