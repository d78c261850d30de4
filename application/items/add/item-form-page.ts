/** The form to add an item. */
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
import { action, href } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type Suggestions, suggestionLists } from '../facets/suggestions.ts';
import { ITEM_FIELDS } from '../item-fields.ts';
import type { ItemFields } from '../item-form.ts';

export interface ItemFormView {
  readonly viewer: Viewer;
  readonly form: FilledForm<ItemFields>;
  readonly errors: readonly FormError<ItemFields>[];
  /** Whether the text is a draft from before the log-in. */
  readonly isDraft: boolean;
  readonly suggestions: Suggestions;
}

export function itemFormPage({ viewer, form: given, isDraft, suggestions }: ItemFormView): Html {
  // After "Save and add another", one types the next name at once. The title of the page says what was saved.
  const form = viewer?.flash ? { ...given, focus: 'name' } : given;
  return layout({
    title: formTitle('Add an item – Items', form),
    viewer,
    section: 'new item',
    focusesField: true,
    main: html`${errorSummary(form)}
<h1>Add an item</h1>
${isDraft ? draftNotice(viewer) : null}
${formTag(
  form,
  html`${ITEM_FIELDS.map((name) => formField(form, name))}
${suggestionLists(suggestions, form.text)}
<div class="actions">${formField(form, 'button')} <a href="${href('/items')}">Cancel</a></div>
`,
  { action: action('/items'), class: 'form' },
)}`,
  });
}
