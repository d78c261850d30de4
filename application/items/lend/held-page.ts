/** The page that says who has what, and the same list for one person. A visitor sees what is lent, and not to whom. */
import { type Html, html, onceField, trustedHtml } from 'seeother';
import {
  heldHref,
  href,
  itemHref,
  lendThingsHref,
  listHref,
  returnFromHeldAction,
  returnThingsHref,
} from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { dueElement, formatCount, formatNumber } from '../../site/format.ts';
import { layout, mayChangeItems, seesBorrowers, type Viewer } from '../../site/layout.ts';
import { stateMark } from '../item-words.ts';
import { isOverdue } from '../loan.ts';
import {
  groupByHolder,
  type HeldItem,
  type HeldItems,
  type Holder,
  MAX_HELD,
} from './held-items.ts';
import { writeThings } from './things.ts';

export interface HeldView {
  readonly viewer: Viewer;
  readonly held: HeldItems;
  /** Only what this person has; empty for everybody, and for a visitor. */
  readonly to: string;
  readonly now: Date;
}

export function heldPage({ viewer, held, to, now }: HeldView): Html {
  const showsNames = seesBorrowers(viewer);
  const holders = showsNames ? groupByHolder(held.items, now) : [];
  const title = !showsNames ? 'What is lent' : to === '' ? 'Who has what' : `What ${to} has`;
  return layout({
    title: `${title} – Items`,
    viewer,
    section: 'loans',
    main: html`<p class="back"><a href="${to === '' ? href('/items') : heldHref()}">← ${to === '' ? 'All items' : 'Who has what'}</a></p>
<h1>${title} <span class="count">${countOf(held.items)}</span></h1>
${mayChangeItems(viewer) ? html`<p class="actions"><a class="button" href="${lendThingsHref({ to, held: to })}">Lend things</a> <a class="button quiet" href="${returnThingsHref({ held: to })}">Return things</a></p>` : null}
${held.isTruncated ? html`<p>More is lent. These are the ${formatNumber(MAX_HELD)} items that are due first: <a href="${listHref({ show: 'lent' })}">show all lent items</a>.</p>` : null}
${held.items.length === 0 ? html`<p class="empty">${to === '' ? 'Nothing is lent.' : `${to} has nothing.`}</p>` : null}
${holders.map((holder, at) => holderSection({ holder, at, viewer, to, now }))}
${
  showsNames || held.items.length === 0
    ? null
    : html`<p>To see who has it, <a href="${href('/login', {}, { next: href('/items/held') })}">log in</a>.</p>
${heldList(held.items, viewer, to, now)}`
}`,
  });
}

interface HolderView {
  readonly holder: Holder;
  readonly at: number;
  readonly viewer: Viewer;
  readonly to: string;
  readonly now: Date;
}

function holderSection({ holder: { name, items }, at, viewer, to, now }: HolderView): Html {
  const id = `holder-${at + 1}`;
  const heading = html`<a href="${heldHref(name)}">${name}</a> <span class="count">${countOf(items)}</span>`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"${to === '' ? null : trustedHtml(' class="visually-hidden"')}>${heading}</h2>
${heldList(items, viewer, to, now)}
${items.length > 1 && mayChangeItems(viewer) ? html`<p><a href="${returnAllHref(items, to)}" aria-describedby="${id}">Return all or some</a></p>\n` : null}</section>
`;
}

/** The page that returns several things, with all of these. */
function returnAllHref(items: readonly HeldItem[], held: string) {
  const things = items.map(({ number, loan }) => ({ number, quantity: '', loan: loan.at }));
  return returnThingsHref({ things: writeThings(things), held });
}

function heldList(items: readonly HeldItem[], viewer: Viewer, to: string, now: Date): Html {
  return html`<ul class="records">
${items.map((item) => heldRecord(item, viewer, to, now))}</ul>`;
}

function heldRecord({ number, name, loan }: HeldItem, viewer: Viewer, to: string, now: Date) {
  const isLate = isOverdue(loan, now);
  const until = loan.until === null ? null : dueElement(loan.until, now);
  const id = `held-${number}-${loan.at}`;
  const count = loan.quantity > 1 ? `${formatNumber(loan.quantity)} of them` : null;
  return html`<li>
<div>
<p>${isLate ? html`${stateMark('Overdue', true)} ` : null}<a id="${id}" href="${itemHref(number)}">${name}</a></p>
${until === null && count === null ? null : html`<p class="details">${heldDetails(count, until, isLate)}</p>\n`}</div>
${
  mayChangeItems(viewer)
    ? html`<form method="post" action="${returnFromHeldAction(number, to)}">${onceField(openButton(viewer))}<input type="hidden" name="lent" value="${loan.at}"><button class="quiet" aria-describedby="${id}">Return</button></form>`
    : null
}
</li>
`;
}

/** "3 of them, until 11 Dec". */
function heldDetails(count: string | null, until: Html | null, isLate: boolean): Html {
  if (until === null) return html`${count}`;
  if (isLate) return html`${count === null ? null : `${count}. `}It was due on ${until}`;
  return count === null ? html`Until ${until}` : html`${count}, until ${until}`;
}

/** How many different items. */
function countOf(items: readonly HeldItem[]): string {
  return formatCount(new Set(items.map(({ number }) => number)).size, 'item', 'items');
}
