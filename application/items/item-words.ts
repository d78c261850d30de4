/** Links from an item to items with the same location or tag. */
import { type Html, html } from 'seeother';
import { listHref } from '../links.ts';

const NONE = '–';

export function locationLink(location: string): Html | string {
  if (location === '') return NONE;
  return html`<a class="word" href="${listHref({ location })}">${location}</a>`;
}

export function tagList(tags: readonly string[]): Html | string {
  if (tags.length === 0) return NONE;
  return html`<ul class="tags">${tags.map((tag) => html`<li><a href="${listHref({ tag })}">${tag}</a></li>`)}</ul>`;
}
