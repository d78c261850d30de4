/** Links to items with the same location or tag, and marks such as “Low”. */
import { type Html, html } from 'seeother';
import { listHref } from '../links.ts';

const NONE = '–';

export function locationLink(location: string): Html | string {
  if (location === '') return NONE;
  return html`<a class="word" href="${listHref({ location })}">${location}</a>`;
}

/** A state that needs attention, in words. An urgent one has a frame. */
export function stateMark(text: string | Html, isUrgent = false): Html {
  return html`<span class="${isUrgent ? 'state urgent' : 'state'}">${text}</span>`;
}

export function tagList(tags: readonly string[]): Html | string {
  if (tags.length === 0) return NONE;
  return html`<ul class="tags">${tags.map((tag) => html`<li><a href="${listHref({ tag })}">${tag}</a></li>`)}</ul>`;
}
