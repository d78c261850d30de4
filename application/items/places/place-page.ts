/** The page of a place: what is in it, what is inside, and what can be done there. */
import { formTag, type Html, html } from 'seeother';
import {
  action,
  batchHref,
  changePictureHref,
  countHref,
  editPlaceHref,
  itemHref,
  labelsHref,
  listHref,
  newPlacesHref,
  placeHref,
  placesHref,
  printHref,
  scanHref,
  selectHref,
  shortPlaceHref,
} from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { formatCount, formatNumber, timeElement } from '../../site/format.ts';
import { layout, mayChangeItems, seesHistory, type Viewer } from '../../site/layout.ts';
import type { CountRecord } from '../count-records.ts';
import { undoBatchForm, undoneText } from '../events/batch-form.ts';
import { describeOperation } from '../events/batch-text.ts';
import { type Batch, countItems } from '../events/batches.ts';
import { toFacetKey } from '../facets.ts';
import type { ItemPage } from '../item-list.ts';
import { lastCounted } from '../last-counted.ts';
import { writeTicked } from '../ticked-numbers.ts';
import { type Counted, placeList } from './place-list.ts';
import type { LevelPage, Place } from './place-model.ts';
import { pictureOf } from './place-picture-page.ts';
import { moreLink } from './places-page.ts';

export interface PlaceView {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly level: LevelPage;
  /** Some of what is in it and in the places inside. */
  readonly things: ItemPage;
  readonly insideCounted: Counted;
  /** For members: the last count, earlier names, how many items still have one of them, and what was done. */
  readonly counted: CountRecord | null;
  readonly earlier: { readonly paths: readonly string[]; readonly left: number };
  readonly changes: readonly Batch[];
  readonly now: Date;
}

export function placePage(view: PlaceView): Html {
  const { viewer, place, level, things, counted, insideCounted, earlier, now } = view;
  const mayChange = mayChangeItems(viewer);
  const { id, name, path, outside } = place;
  return layout({
    title: `${path} – Places`,
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${placesHref()}">← Places</a>${outside.map((one) => html` › <a href="${placeHref(one.id)}">${one.name}</a>`)}</p>
<h1>${name} <small class="item-number">Place ${id}</small></h1>
<p>${describeContents(place)}${counted === null ? null : html` ${lastCounted(counted, now)}`}</p>
${mayChange ? actions(view) : html`<p><a href="${printHref({ location: path })}">Print what is here</a></p>`}
${mayChange && earlier.left > 0 ? leftNotice(view) : null}
<div class="columns">
<div>
<section aria-labelledby="things">
<h2 id="things">What is here</h2>
${things.items.length === 0 ? html`<p class="empty">Nothing is here.</p>` : thingList(view)}
</section>
${
  level.places.length === 0
    ? null
    : html`<section class="facets" aria-labelledby="inside">
<h2 id="inside">Places inside</h2>
${placeList(level.places, insideCounted)}
${moreLink(level.next === null ? null : placeHref(id, level.next))}
</section>`
}
<dl class="summary">
<div><dt>Location</dt><dd>${path}</dd></div>
<div><dt>Short address</dt><dd><a href="${shortPlaceHref(id)}">${shortPlaceHref(id)}</a></dd></div>
${earlier.paths.length === 0 ? null : html`<div><dt>Earlier</dt><dd>${earlier.paths.map((one) => html`<div>${one}</div>`)}</dd></div>`}
</dl>
</div>
<div>
${pictureOf(place)}
${changeList(view)}
</div>
</div>`,
  });
}

function describeContents({ items, inside, isShown }: Place): string {
  if (!isShown) return 'Nothing is here, so it is not in the list of places.';
  if (inside === 0) return `${formatCount(items, 'item', 'items')}.`;
  const all = formatCount(items + inside, 'item', 'items');
  return items === 0
    ? `${all} in the places inside.`
    : `${all}, ${formatNumber(inside)} of them in the places inside.`;
}

/** What is seldom done is in a menu, as on the page of an item. */
function actions({ viewer, place, level }: PlaceView): Html {
  const { id, path, items, inside, isKept, pictureId } = place;
  const isFull = items + inside > 0;
  const canRemove = isKept && !isFull && level.places.length === 0;
  const remove = action('/places/:id<int>/remove', { id });
  return html`<div class="actions item-actions">
<a class="button" href="${selectHref({}, undefined, { to: path })}">Put things here</a>
${isFull ? html`<a class="button quiet" href="${countHref({ location: path })}">Count this place</a>\n` : null}<a class="button quiet" href="${editPlaceHref(id)}">Rename or move</a>
<button type="button" class="quiet" popovertarget="more-actions" aria-label="More actions">…</button>
</div>
<ul id="more-actions" popover>
<li><a href="${scanHref({ mode: 'move', place: path, to: '' })}">Scan things to put here</a></li>
<li><a href="${newPlacesHref(path)}">Add places inside</a></li>
<li><a href="${changePictureHref(id)}">${pictureId === null ? 'Add a picture' : 'Change the picture'}</a></li>
<li><a href="${labelsHref({ places: String(id) })}">Print a label</a></li>
${level.places.length === 0 ? null : html`<li><a href="${labelsHref({ places: writeTicked(level.places.map((one) => one.id)) })}">Print labels of the places inside</a></li>\n`}<li><a href="${printHref({ location: path })}">Print what is here</a></li>
${canRemove ? html`<li>${formTag(openButton(viewer), html`<button class="danger">Remove</button>`, { action: remove })}</li>\n` : null}</ul>`;
}

/** After a crash, or when the time of the form was over. */
function leftNotice({ viewer, place, earlier }: PlaceView): Html {
  return html`<div class="notice"><p>${formatCount(earlier.left, 'item still has', 'items still have')} an earlier name of this place.</p>
${formTag(openButton(viewer), html`<button>Move the rest</button>`, { action: action('/places/:id<int>/move', { id: place.id }) })}</div>`;
}

function thingList({ place, things }: PlaceView): Html {
  const { path, key } = place;
  const { items, itemCount } = things;
  return html`<ul class="records">
${items.map(({ number, name, location }) => html`<li><p><a href="${itemHref(number, { location: path })}">${name}</a>${toFacetKey(location) === key ? null : html` <span class="details">${location}</span>`}</p></li>\n`)}</ul>
<p><a href="${listHref({ location: path })}">${itemCount > items.length ? `All ${formatNumber(itemCount)} items` : 'As a list'}</a></p>`;
}

function changeList({ viewer, changes }: PlaceView): Html | null {
  if (!seesHistory(viewer) || changes.length === 0) return null;
  const mayChange = mayChangeItems(viewer);
  return html`<section aria-labelledby="history-heading">
<h2 id="history-heading">History</h2>
<ul class="records history">
${changes.map(
  (batch) => html`<li>
<div>
<p id="batch-${batch.id}"><strong>${batch.by ?? 'Somebody'}</strong> <a href="${batchHref(batch.id)}">${describeOperation(batch.operation, countItems(batch))}</a></p>
<p class="details">${timeElement(batch.at)}${undoneText(batch)}</p>
</div>
${mayChange && batch.undone < batch.events ? undoBatchForm(batch, viewer) : null}
</li>
`,
)}</ul>
</section>`;
}
