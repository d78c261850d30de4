/** The pages of all places, of the form that adds some, and for a place that is not there. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, href, newPlacesHref, placeHref, placesHref, tagsHref } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, mayChangeItems, type Viewer } from '../../site/layout.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { AddPlacesFields } from './place-forms.ts';
import { type Counted, placeList, placeTree } from './place-list.ts';
import type { Found, LevelPage, PlaceCount } from './place-model.ts';

export interface PlacesView {
  readonly viewer: Viewer;
  /** All places, or a page of the outermost ones. */
  readonly tree: readonly PlaceCount[] | null;
  readonly level: LevelPage;
  readonly counted: Counted;
}

export function placesPage({ viewer, tree, level, counted }: PlacesView): Html {
  const isEmpty = (tree ?? level.places).length === 0;
  return layout({
    title: 'Places – Items',
    viewer,
    section: 'items',
    main: html`<p class="back"><a href="${href('/items')}">← Items</a></p>
<h1>Places</h1>
${mayChangeItems(viewer) ? html`<div class="actions item-actions"><a class="button" href="${newPlacesHref()}">Add places</a></div>` : null}
${isEmpty ? html`<p class="empty">There are no places yet. The location of an item makes one.</p>` : html`<section class="facets" aria-label="All places">${tree === null ? placeList(level.places, counted) : placeTree(tree, counted)}</section>`}
${moreLink(level.next === null ? null : placesHref(level.next))}
<p class="export"><a href="${tagsHref()}">Tags</a></p>`,
  });
}

export function moreLink(next: ReturnType<typeof href> | null): Html | null {
  if (next === null) return null;
  return html`<nav class="pages" aria-label="Pages"><ul><li><a rel="next" href="${next}">More →</a></li></ul></nav>`;
}

export interface AddPlacesView {
  readonly viewer: Viewer;
  readonly form: FilledForm<AddPlacesFields>;
  readonly isDraft: boolean;
  /** Locations to suggest. */
  readonly locations: readonly string[];
}

export function addPlacesPage({ viewer, form, isDraft, locations }: AddPlacesView): Html {
  return layout({
    title: formTitle('Add places – Items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${placesHref()}">← Places</a></p>
<h1>Add places</h1>
${isDraft ? draftNotice(viewer) : null}
<p>They are in the list of places before anything is in them.</p>
${formTag(
  form,
  html`${formField(form, 'places')}
${formField(form, 'inside')}
${suggestionList('locations', locations)}
<div class="actions"><button>Add places</button> <a href="${placesHref()}">Cancel</a></div>
`,
  { action: action('/places'), class: 'form' },
)}`,
  });
}

/** A 404 that names the nearest place. */
export function missingPlacePage(viewer: Viewer, asked: string, near: Found | null): Html {
  return layout({
    title: 'Place not found – Items',
    viewer,
    section: 'items',
    main: html`<h1>Place not found</h1>
<p>${asked}</p>
<h2>What you can do now</h2>
<ul>
${near === null ? null : html`<li>Look in <a href="${placeHref(near.id)}">${near.path}</a>.</li>\n`}<li>Look at <a href="${placesHref()}">all places</a>.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}
