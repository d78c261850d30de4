/** The form to add an item. */
import {
  type Context,
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { href, newItemAction, readScanBehind, scanHref } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type Suggestions, suggestionLists } from '../facets/suggestions.ts';
import { ITEM_FIELDS } from '../item-fields.ts';
import type { ItemFields } from '../item-form.ts';
import { kindPart, ownParts } from '../own-form-parts.ts';

export interface ItemFormView {
  readonly viewer: Viewer;
  /** `?saved=7` in its address leads from one item to the next, and `?scan` back to the page to scan. */
  readonly context: Pick<Context, 'request'>;
  readonly form: FilledForm<ItemFields>;
  /** Whether the text is a draft from before the log-in. */
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
}

export function itemFormPage(view: ItemFormView): Html {
  const { viewer, isDraft, suggestions } = view;
  // After "Save and add another", one types the next name at once. The title of the page says what was saved.
  const { query } = view.context.request;
  const scan = readScanBehind(query);
  const focusesField = query.has('saved') && viewer?.flash != null;
  const form = focusesField ? { ...view.form, focus: 'name' } : view.form;
  return layout({
    title: formTitle('Add an item – Items', form),
    viewer,
    section: 'new item',
    focusesField,
    main: html`${errorSummary(form)}
<h1>Add an item</h1>
${isDraft ? draftNotice(viewer) : null}
${formTag(
  form,
  html`${kindPart(form)}
${ITEM_FIELDS.map((name) => formField(form, name))}
${ownParts(form)}
${formField(form, 'files')}
${suggestionLists(suggestions, form.text)}
<div class="actions">${formField(form, 'button')} <a href="${scan === null ? href('/items') : scanHref(scan)}">Cancel</a></div>
`,
  { action: newItemAction(scan), class: 'form' },
)}`,
  });
}
