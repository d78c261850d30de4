/** The page of one item. */
import { type Html, html, onceField, trustedHtml } from 'seeother';
import {
  action,
  editHref,
  historyHref,
  href,
  itemHref,
  type ListPlace,
  labelsHref,
  lendHref,
  listHref,
  toPlace,
} from '../../links.ts';
import { type Definitions, fieldsOfKind } from '../../own-fields/definitions.ts';
import { kindIcon } from '../../own-fields/icons.ts';
import { showOwnValue } from '../../own-fields/own-values.ts';
import { type OpenedBy, openButton } from '../../site/button-form.ts';
import { formatNumber, timeElement } from '../../site/format.ts';
import type { Fragment } from '../../site/layout.ts';
import { eventList } from '../events/event-list.ts';
import { fieldLabel, showValue } from '../events/event-text.ts';
import type { ItemEvent } from '../events/item-events.ts';
import { addFilesBox, filesSection } from '../files/file-markup.ts';
import { ITEM_FIELDS, type ItemField } from '../item-fields.ts';
import type { ItemFile } from '../item-files.ts';
import type { Neighbours } from '../item-neighbours.ts';
import { type ItemQuery, isFiltered } from '../item-query.ts';
import type { Item } from '../item-rows.ts';
import { locationLink, tagList } from '../item-words.ts';
import { loanBoxes, returnButton } from '../lend/lend-page.ts';
import { hereOf, type Shown, type ShownLoan } from '../loan.ts';
import { stateMarks } from '../loan-mark.ts';
import { quantityBox } from '../quantity/quantity-page.ts';
import { splitDescription } from './split-description.ts';

/** How many of its changes the page of an item shows. */
export const SHOWN_EVENTS = 5;

export interface ItemView {
  readonly canChange: boolean;
  readonly item: Shown<Item>;
  readonly definitions: Definitions;
  /** The newest ones; none for a visitor. */
  readonly events: readonly ItemEvent[];
  readonly files: readonly ItemFile[];
  /** The list that the visitor came from. */
  readonly place: ItemQuery & ListPlace;
  /** In that list; null while too many searches run. */
  readonly neighbours: Neighbours | null;
  readonly now: Date;
}

/** The same for all users who can change items, except for the key of its forms: see `withNewKey`. */
export function itemFragment(view: ItemView): Fragment {
  const { canChange, item, definitions, events, files, place, neighbours, now } = view;
  const once = canChange ? ONCE_FIELD : null;
  const { text, facts } = splitDescription(item.description);
  return {
    title: `${item.name} – Items`,
    main: html`<div class="item-links">
<p class="back"><a href="${listHref(place, place.page)}">← ${isFiltered(place) ? 'Matching items' : 'All items'}</a></p>
${neighbours === null ? null : neighbourLinks(neighbours, place)}</div>
<h1>${item.name} <small class="item-number">No. ${item.number}</small></h1>
${states(item, now)}
${once === null ? null : itemActions(item, place, once)}
${loanBoxes({ item, place, now, once: oneLent(item) === null ? once : null })}
${once === null ? null : quantityBox(item, place, { once: BLANK.once })}
<div class="columns">
<div>
${filesSection(files, item)}
${text === '' ? null : html`<p class="description">${text}</p>`}
<dl class="summary">
${kindRow(item, definitions)}${ITEM_FIELDS.map((name) => fieldRow(name, item, once !== null))}
${ownRows(item, definitions)}
${facts.map(([key, value]) => row(html`<bdi>${key}</bdi>`, html`<bdi>${value}</bdi>`))}
${row('Added', html`${timeElement(item.createdAt)}${by(item.createdBy)}`)}
${item.version === 1 ? null : row('Changed', html`${timeElement(item.updatedAt)}${by(item.updatedBy)}`)}
</dl>
${once === null ? null : addFilesBox(item.number, once)}
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
  quantity: ({ quantity }, canChange) => (canChange ? null : formatNumber(quantity)),
  location: ({ location }) => locationLink(location),
  tags: ({ tags }) => tagList(tags),
};

function fieldRow(name: ItemField, item: Shown<Item>, canChange: boolean): Html | null {
  const own = OWN_ROWS[name];
  const value = own === undefined ? showValue(item[name]) : own(item, canChange);
  return value === null || value === '' ? null : row(fieldLabel(name), value);
}

function kindRow({ kind }: Shown<Item>, { allKinds }: Definitions): Html | null {
  const found = kind === null ? undefined : allKinds.get(kind);
  return found === undefined ? null : row('Kind', html`${kindIcon(found.icon)} ${found.name}`);
}

/** Those of its kind. What it has in others shows its form. */
function ownRows({ kind, own }: Shown<Item>, definitions: Definitions): readonly (Html | null)[] {
  return fieldsOfKind(definitions, kind).map((field) => {
    const value = own[field.id];
    const text = showOwnValue(field, value);
    if (text === '' || value === undefined) return null;
    // The field takes no other addresses; one of another scheme could run a script.
    if (field.kind === 'link' && /^https?:/.test(text))
      return row(field.label, html`<a href="${text}" rel="noreferrer">${text}</a>`);
    const isLong = field.kind === 'long text';
    return row(field.label, isLong ? html`<span class="description">${text}</span>` : text);
  });
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

/** What needs attention. The box below says who has the item. */
function states(item: Shown<Item>, now: Date): Html | null {
  const marks = stateMarks(item, now);
  return marks.length === 0 ? null : html`<p class="states">${marks}</p>`;
}

/** The loan of the one that there is: the first button returns it. */
function oneLent(item: Shown<Item>): ShownLoan | null {
  const [loan, ...others] = item.loans;
  return loan?.quantity === 1 && others.length === 0 && hereOf(item) === 0 ? loan : null;
}

/** What is lent is returned first. What is seldom done is in a menu, which Escape closes without a script. */
function itemActions(item: Shown<Item>, place: ListPlace, once: Html): Html {
  const { number } = item;
  const loan = oneLent(item);
  const lend =
    hereOf(item) === 0 ? null : html`<a class="button" href="${lendHref(number, place)}">Lend</a>`;
  const remove = action('/items/:number<int>/delete', { number }, toPlace(place));
  return html`<div class="actions item-actions">
${loan === null ? lend : returnButton({ number, loan, place, once })}
<a class="button quiet" href="${editHref(number, place)}">Edit</a>
<button type="button" class="quiet" popovertarget="more-actions" aria-label="More actions">…</button>
</div>
<ul id="more-actions" popover>
<li><a href="${href('/items/new', {}, { like: number })}">Add another like this</a></li>
<li><a href="${labelsHref({ ticked: String(number) })}">Print a label</a></li>
<li><a href="${historyHref(number)}">History</a></li>
<li><form method="post" action="${remove}">${once}<button class="danger">Delete</button></form></li>
</ul>`;
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

function row(label: string | Html, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function by(username: string | null): string {
  return username === null ? '' : ` by ${username}`;
}
