/** Links to the place of an item, and to items with the same tag, and marks such as “Low”. */
import { type Html, html } from 'seeother';
import { listHref, placeAtHref } from '../links.ts';

const NONE = '–';

export function locationLink(location: string): Html | string {
  if (location === '') return NONE;
  return html`<a class="word" href="${placeAtHref(location)}">${location}</a>`;
}

/** In a column of a list: all but the last of its levels may be cut, because neighbours differ in that. */
export function locationPath(location: string): Html | string {
  const levels = location.split(/(?<=[,，]\s*)(?!\s)/);
  if (levels.length === 1) return location;
  return html`<span class="path">${levels.map((level) => html`<span>${level}</span>`)}</span>`;
}

/** A state that needs attention, in words with a frame. An urgent one has another colour, too. */
export function stateMark(text: Html | string, isUrgent = false): Html {
  return html`<span class="${isUrgent ? 'state urgent' : 'state'}">${text}</span>`;
}

export function tagList(tags: readonly string[]): Html | string {
  if (tags.length === 0) return NONE;
  return html`<ul class="tags">${tags.map((tag) => html`<li><a href="${listHref({ tag })}">${tag}</a></li>`)}</ul>`;
}
