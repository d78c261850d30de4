/** The form to rename a place, or to move it into another one. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, placeHref } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { formatCount } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { EditPlaceFields } from './place-forms.ts';
import type { Place } from './place-model.ts';

export interface EditPlaceView {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly form: FilledForm<EditPlaceFields>;
  readonly errors: readonly FormError<EditPlaceFields>[];
  readonly isDraft: boolean;
  /** Locations to suggest. */
  readonly locations: readonly string[];
  /** The place that it would be merged with, to be confirmed. */
  readonly target: Place | null;
}

export function editPlacePage(view: EditPlaceView): Html {
  const { viewer, place, form, isDraft, locations, target } = view;
  const { id, path } = place;
  const all = place.items + place.inside;
  return layout({
    title: formTitle(`Rename or move ${path} – Places`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${placeHref(id)}">← ${path}</a></p>
<h1>Rename or move “${path}”</h1>
${isDraft ? draftNotice(viewer) : null}
<p>${all === 0 ? 'Nothing is in it.' : `${formatCount(all, 'item moves', 'items move')} along, and so do the places inside.`} Its address and its printed labels stay.</p>
${formTag(
  form,
  html`${formField(form, 'name')}
${formField(form, 'inside')}
${formField(form, 'version')}
${suggestionList('locations', locations)}
${target === null ? null : mergeNotice(place, target)}
<div class="actions"><button>${target === null ? 'Save' : 'Merge'}</button> <a href="${placeHref(id)}">Cancel</a></div>
`,
  { action: action('/places/:id<int>/edit', { id }), class: 'form' },
)}`,
  });
}

function mergeNotice({ path }: Place, target: Place): Html {
  const items = formatCount(target.items + target.inside, 'item', 'items');
  return html`<div class="notice"><p>There is a place “${target.path}” already, with ${items}. “${path}” becomes part of it, and its labels lead there. Undo separates them again.</p></div>
<input type="hidden" name="merge" value="${target.id}">`;
}
