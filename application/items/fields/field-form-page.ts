/** The form to add or to change a field of the team's own. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, fieldAction, fieldHref, fieldsHref, href, newFieldAction } from '../../links.ts';
import type { OwnField } from '../../own-fields/definitions.ts';
import { openButton } from '../../site/button-form.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { type FieldFormFields, valueName } from './field-form.ts';

export interface FieldFormView {
  readonly viewer: Viewer;
  /** Null for a new one. */
  readonly field: OwnField | null;
  readonly form: FilledForm<FieldFormFields>;
  /** Whether somebody else has changed it since the form was opened. */
  readonly isConflict: boolean;
}

export function fieldFormPage({ viewer, field, form, isConflict }: FieldFormView): Html {
  const title = field === null ? 'Add a field' : `Field “${field.label}”`;
  const names = ['label', 'value', 'hint', 'of', 'required', 'inList', 'searched'] as const;
  return layout({
    title: formTitle(`${title} – Fields`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${fieldsHref()}">← Kinds and fields</a></p>
<h1>${title}</h1>
${isConflict && field !== null ? conflictNotice(field) : null}
${field?.removed ? html`<div class="notice"><p>This field was removed. <strong>Save changes</strong> brings it back, with its values.</p></div>` : null}
${formTag(
  form,
  html`${formField(form, 'version')}
${names.map((name) => formField(form, name))}
<div class="actions"><button>${field === null ? 'Add field' : 'Save changes'}</button> <a href="${fieldsHref()}">Cancel</a></div>
`,
  { action: field === null ? newFieldAction() : fieldAction(field.id), class: 'form' },
)}
${field === null || field.removed ? null : moreOf(field, viewer)}`,
  });
}

/** What is there now, beside what was typed. */
function conflictNotice(field: OwnField): Html {
  const { label, hint, unit, choices, required, inList, searched } = field;
  const offered = choices.filter(({ removed }) => removed !== true).map((one) => one.label);
  const ticked = [
    required ? 'required' : '',
    inList ? 'shown in the list' : '',
    searched ? 'found by the search' : '',
  ].filter((text) => text !== '');
  const now = [
    ['Name', label],
    ['Hint', hint],
    ['Unit', unit],
    ['Choices', offered.join(', ')],
    ['Ticked', ticked.join(', ')],
  ].filter(([, text]) => text !== '');
  return html`<div class="notice"><p><strong>Your changes are not saved yet.</strong> Somebody else has changed this field since you opened the form. Now it has:</p>
<dl>${now.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>
<p>Save to replace this by what stands below, or <a href="${fieldHref(field.id)}">discard your changes</a>.</p></div>`;
}

function moreOf(field: OwnField, viewer: Viewer): Html {
  const { id, label, kind } = field;
  const params = { id };
  const hasChoices = kind === 'choice' || kind === 'choices';
  return html`<section aria-labelledby="more">
<h2 id="more">More</h2>
<ul>
${hasChoices ? html`<li><a href="${href('/fields/:id<int>/choices', params)}">Merge two choices</a></li>\n` : null}<li><a href="${href('/fields/:id<int>/merge', params)}">Merge with another field</a> of the kind ${valueName(kind).toLowerCase()}</li>
</ul>
${formTag(
  openButton(viewer),
  html`<p>Without the field, forms, lists and files no longer show “${label}”. Things keep its values, and Undo brings it back.</p>
<button class="danger">Remove field</button>`,
  { action: action('/fields/:id<int>/remove', params) },
)}
</section>`;
}
