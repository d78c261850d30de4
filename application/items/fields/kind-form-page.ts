/** The form to add or to change a kind of things, with its fields. */
import { type FilledForm, formField, type Html, html } from 'seeother';
import { action, fieldHref, href, kindAction, kindHref, newFieldHref } from '../../links.ts';
import type { Definitions, ItemKind } from '../../own-fields/definitions.ts';
import type { Viewer } from '../../site/layout.ts';
import { conflictNotice, definitionPage, removedNotice, removeForm } from './definition-page.ts';
import type { KindFormFields } from './kind-form.ts';

export interface KindFormView {
  readonly viewer: Viewer;
  /** Null for a new one. */
  readonly kind: ItemKind | null;
  readonly definitions: Definitions;
  readonly form: FilledForm<KindFormFields>;
  /** Whether somebody else has changed it since the form was opened. */
  readonly isConflict: boolean;
}

export function kindFormPage({ viewer, kind, definitions, form, isConflict }: KindFormView): Html {
  const names = ['version', 'name', 'icon', 'minimum'] as const;
  return definitionPage({
    ...{ viewer, form, title: kind === null ? 'Add a kind of things' : `Kind “${kind.name}”` },
    about: html`${isConflict && kind !== null ? conflictOf(kind) : null}
${kind?.removed ? removedNotice('kind') : null}
`,
    fields: html`${names.map((name) => formField(form, name))}`,
    button: kind === null ? 'Add kind' : 'Save changes',
    action: kind === null ? action('/fields/kinds/new', {}, { send: '' }) : kindAction(kind.id),
    more: kind === null || kind.removed ? null : moreOf(kind, definitions, viewer),
  });
}

/** What is there now, beside what was typed. */
function conflictOf({ id, name, minimum }: ItemKind): Html {
  const least = minimum === null ? ', without a minimum' : `, with the minimum ${minimum}`;
  return conflictNotice('kind', html`Now it is “${name}”${least}.</p>`, kindHref(id));
}

function moreOf({ id, name }: ItemKind, { fields, kinds }: Definitions, viewer: Viewer): Html {
  const own = fields.filter(({ itemKind }) => itemKind === id);
  return html`<section aria-labelledby="its-fields">
<h2 id="its-fields">Fields of this kind alone</h2>
${own.length === 0 ? html`<p class="empty">None yet.</p>` : html`<ul>${own.map((field) => html`<li><a href="${fieldHref(field.id)}">${field.label}</a></li>\n`)}</ul>`}
<p><a href="${newFieldHref(id)}">Add a field for this kind</a></p>
</section>
<section aria-labelledby="more">
<h2 id="more">More</h2>
${kinds.length < 2 ? null : html`<ul><li><a href="${href('/fields/kinds/:id<int>/merge', { id })}">Merge with another kind</a></li></ul>\n`}${removeForm(
  'kind',
  `Without the kind, its things have none, and its fields are hidden. They keep their values, and Undo brings all back as “${name}”.`,
  viewer,
  action('/fields/kinds/:id<int>/remove', { id }),
)}
</section>`;
}
