/** Links from an item to items with the same location or tag. */
import { type Html, html } from 'seeother';
import { listHref } from '../links.ts';
import type { ItemQuery } from './item-list.ts';

const NONE = '–';

/** `within` is the query that the link adds a filter to. */
export function locationLink(location: string, within: Partial<ItemQuery> = {}): Html | string {
  if (location === '') return NONE;
  return html`<a class="word" href="${listHref({ ...within, location })}">${location}</a>`;
}

export function tagList(tags: readonly string[], within: Partial<ItemQuery> = {}): Html | string {
  if (tags.length === 0) return NONE;
  return html`<ul class="tags">${tags.map((tag) => html`<li><a href="${listHref({ ...within, tag })}">${tag}</a></li>`)}</ul>`;
}
