/** Places as a list, or as a tree of lists: each with the number of its items, and when it was last counted. */
import { type Html, html } from 'seeother';
import { placeHref } from '../../links.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import type { CountRecord } from '../count-records.ts';
import { lastCounted } from '../last-counted.ts';
import type { PlaceCount } from './place-model.ts';

/** Last counts by the keys of the places; none for a visitor. */
export interface Counted {
  readonly counts: ReadonlyMap<string, CountRecord>;
  readonly now: Date;
}

/** A level of the tree. */
export function placeList(places: readonly PlaceCount[], counted: Counted): Html {
  return html`<ul>
${places.map((place) => html`<li>${placeLink(place)}${place.places === 0 ? null : html`<div class="details">${formatCount(place.places, 'place', 'places')} inside</div>`}${countLine(place, counted)}</li>\n`)}</ul>`;
}

/** All places, each with those inside it below it. */
export function placeTree(places: readonly PlaceCount[], counted: Counted): Html {
  const levels = Map.groupBy(places, ({ parent }) => parent);
  const draw = (id: number | null): Html =>
    html`<ul>
${(levels.get(id) ?? []).map((place) => html`<li>${placeLink(place)}${countLine(place, counted)}${levels.has(place.id) ? draw(place.id) : null}</li>\n`)}</ul>`;
  return draw(null);
}

function placeLink({ id, name, items, inside }: PlaceCount): Html {
  const all = items + inside;
  return html`<a href="${placeHref(id)}">${name}</a> <span class="count">${formatNumber(all)}<span class="visually-hidden"> ${all === 1 ? 'item' : 'items'}</span></span>`;
}

function countLine({ key }: PlaceCount, { counts, now }: Counted): Html | null {
  const count = counts.get(key);
  return count === undefined ? null : html`<div class="details">${lastCounted(count, now)}</div>`;
}
