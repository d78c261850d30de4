/**
 * The most used locations and tags, and names of people, which the browser suggests in a form by `<datalist>`, without
 * a script. It completes the whole text of a field, so a suggestion for tags is the text of the field plus one tag.
 */
import { type Html, html } from 'seeother';
import type { Awaitable } from 'seeother/middleware';
import { PEOPLE_LIST } from '../../own-fields/to-form-field.ts';
import { inOnePiece } from '../../site/in-one-piece.ts';
import { type FacetField, toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import type { FacetList } from './facet-list.ts';
import { oncePerRevision } from './once-per-revision.ts';

export interface Suggestions {
  readonly locations: readonly string[];
  readonly tags: readonly string[];
  /** Null if no field is for them. */
  readonly people: readonly string[] | null;
}

/** Places in which nothing is: see places/place-model.ts. */
interface EmptyPlaces {
  readonly emptyPaths: (limit: number) => Promise<readonly string[]>;
}

export type Suggest = () => Awaitable<Suggestions>;

/** Of each kind in a form. */
const MAX_SUGGESTIONS = 100;

const NONE: Suggestions = { locations: [], tags: [], people: null };

export function createSuggestions(
  facetList: Pick<FacetList, 'mostUsed'>,
  places: EmptyPlaces,
  items: Pick<Items, 'revision' | 'peopleNames'>,
): Suggest {
  const names = async (field: FacetField) =>
    (await facetList.mostUsed(field, MAX_SUGGESTIONS)).map(({ name }) => name);
  return oncePerRevision(items, NONE, async () => {
    const [locations, tags] = [await names('location'), await names('tag')];
    const left = MAX_SUGGESTIONS - locations.length;
    const empty = left === 0 ? [] : await places.emptyPaths(left);
    const people = await items.peopleNames(MAX_SUGGESTIONS);
    return { locations: [...locations, ...empty], tags, people };
  });
}

/** The fields of the forms refer to these ids. `text.tags` is the present text of the field for tags. */
export function suggestionLists(
  { locations, tags, people }: Suggestions,
  text: { readonly tags: string } = { tags: '' },
): Html {
  const present = text.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const names = people === null ? null : html`${drawOnce(PEOPLE_LIST, people)}\n`;
  const lists = html`${drawOnce('locations', locations)}\n${names}`;
  if (present.length === 0) return html`${lists}${drawOnce('known-tags', tags)}`;
  const keys = new Set(present.map(toFacetKey));
  const others = tags.filter((tag) => !keys.has(toFacetKey(tag)));
  const before = present.map((tag) => `${tag}, `).join('');
  const values = others.map((tag) => `${before}${tag}`);
  return html`${lists}${suggestionList('known-tags', values)}`;
}

export function suggestionList(id: string, values: readonly string[]): Html {
  return html`<datalist id="${id}">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
}

/** Lists of suggestions stay the same until an item changes. */
const drawn = new WeakMap<readonly string[], Html>();

function drawOnce(id: string, values: readonly string[]): Html {
  const known = drawn.get(values);
  if (known !== undefined) return known;
  const list = inOnePiece(suggestionList(id, values));
  drawn.set(values, list);
  return list;
}
