/** The form to add or to change a field of the team's own. */
import { type FilledForm, formField, type Html, html } from 'seeother';
import { action, fieldAction, fieldHref, href, newFieldAction } from '../../links.ts';
import type { OwnField } from '../../own-fields/definitions.ts';
import { hasChoices } from '../../own-fields/own-field.ts';
import type { Viewer } from '../../site/layout.ts';
import { conflictNotice, definitionPage, removedNotice, removeForm } from './definition-page.ts';
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
  const names = ['version', 'label', 'value', 'hint', 'of'] as const;
  const ticks = ['required', 'inList', 'searched'] as const;
  return definitionPage({
    ...{ viewer, form, title: field === null ? 'Add a field' : `Field “${field.label}”` },
    about: html`${isConflict && field !== null ? conflictOf(field) : null}
${field?.removed ? removedNotice('field', ', with its values') : null}
`,
    fields: html`${[...names, ...ticks].map((name) => formField(form, name))}`,
    button: field === null ? 'Add field' : 'Save changes',
    action: field === null ? newFieldAction() : fieldAction(field.id),
    more: field === null || field.removed ? null : moreOf(field, viewer),
  });
}

/** What is there now, beside what was typed. */
function conflictOf(field: OwnField): Html {
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
  return conflictNotice(
    'field',
    html`Now it has:</p>
<dl>${now.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>`,
    fieldHref(field.id),
  );
}

function moreOf(field: OwnField, viewer: Viewer): Html {
  const { id, label, kind } = field;
  const params = { id };
  return html`<section aria-labelledby="more">
<h2 id="more">More</h2>
<ul>
${hasChoices(kind) ? html`<li><a href="${href('/fields/:id<int>/choices', params)}">Merge two choices</a></li>\n` : null}<li><a href="${href('/fields/:id<int>/merge', params)}">Merge with another field</a> of the kind ${valueName(kind).toLowerCase()}</li>
</ul>
${removeForm(
  'field',
  `Without the field, forms, lists and files no longer show “${label}”. Things keep its values, and Undo brings it back.`,
  viewer,
  action('/fields/:id<int>/remove', params),
)}
</section>`;
}
