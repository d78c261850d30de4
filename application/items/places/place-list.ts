/** Places as a list, or as a tree of lists: each with the number of its items. */
import { type Html, html } from 'seeother';
import { placeHref } from '../../links.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import type { PlaceCount } from './place-model.ts';

/** A level of the tree. */
export function placeList(places: readonly PlaceCount[]): Html {
  return html`<ul>
${places.map((place) => html`<li>${placeLink(place)}${place.places === 0 ? null : html` <span class="count">· ${formatCount(place.places, 'place', 'places')}</span>`}</li>\n`)}</ul>`;
}

/** All places inside `parent`, each with those inside it below it. */
export function placeTree(places: readonly PlaceCount[], parent: number | null = null): Html {
  const levels = Map.groupBy(places, (place) => place.parent);
  const draw = (id: number | null): Html =>
    html`<ul>
${(levels.get(id) ?? []).map((place) => html`<li>${placeLink(place)}${levels.has(place.id) ? draw(place.id) : null}</li>\n`)}</ul>`;
  return draw(parent);
}

function placeLink({ id, name, items, inside }: PlaceCount): Html {
  const all = items + inside;
  return html`<a href="${placeHref(id)}">${name}</a> <span class="count">${formatNumber(all)}<span class="visually-hidden"> ${all === 1 ? 'item' : 'items'}</span></span>`;
}
