/** The words of an item that lead to what has the same: its location and its tags. */
import { type Html, html } from 'seeother';
import { listHref } from '../links.ts';
import type { Selection } from './item-list.ts';

const NONE = '–';

/** `within` is the list that the link narrows down. */
export function locationLink(location: string, within: Partial<Selection> = {}): Html | string {
  if (location === '') return NONE;
  return html`<a class="word" href="${listHref({ ...within, location })}">${location}</a>`;
}

export function tagList(tags: readonly string[], within: Partial<Selection> = {}): Html | string {
  if (tags.length === 0) return NONE;
  return html`<ul class="tags">${tags.map((tag) => html`<li><a href="${listHref({ ...within, tag })}">${tag}</a></li>`)}</ul>`;
}
