/** The form to change an item. */
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
import { action, itemHref, type ListPlace, toPlace } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type Suggestions, suggestionLists } from '../facets/suggestions.ts';
import { ITEM_FIELDS } from '../item-fields.ts';
import { kindPart, ownParts } from '../own-form-parts.ts';
import type { EditFields } from './edit-form.ts';

export interface ItemEditView {
  readonly viewer: Viewer;
  readonly number: number;
  /** The list that the item's page leads back to. */
  readonly place: ListPlace;
  /** The name that the item has now. */
  readonly name: string;
  readonly form: FilledForm<EditFields>;
  readonly errors: readonly FormError<EditFields>[];
  /** Whether the text is a draft from before the log-in. */
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
}

export function itemEditPage(view: ItemEditView): Html {
  const { viewer, number, place, name, form, isDraft, suggestions } = view;
  return layout({
    title: formTitle(`Edit ${name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(number, place)}">← ${name}</a></p>
<h1>Edit ${name}</h1>
${isDraft ? draftNotice(viewer) : null}
${formTag(
  form,
  html`${formField(form, 'version')}
${kindPart(form)}
${ITEM_FIELDS.map((field) => formField(form, field))}
${ownParts(form)}
${formField(form, 'files')}
${suggestionLists(suggestions, form.text)}
<div class="actions"><button name="button" value="save">Save changes</button> <a href="${itemHref(number, place)}">Cancel</a></div>
`,
  { action: editAction(number, place), class: 'form' },
)}`,
  });
}

/** A POST to the page's own address would remove it from the browser's cache, which Back needs. */
export function editAction(number: number, place: ListPlace) {
  return action('/items/:number<int>/edit', { number }, { send: '', ...toPlace(place) });
}
