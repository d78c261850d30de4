/** The form to add or to change a kind of things, with its fields. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import {
  action,
  fieldHref,
  fieldsHref,
  href,
  kindAction,
  kindHref,
  newFieldHref,
} from '../../links.ts';
import type { Definitions, ItemKind } from '../../own-fields/definitions.ts';
import { openButton } from '../../site/button-form.ts';
import { layout, type Viewer } from '../../site/layout.ts';
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
  const title = kind === null ? 'Add a kind of things' : `Kind “${kind.name}”`;
  return layout({
    title: formTitle(`${title} – Fields`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${fieldsHref()}">← Kinds and fields</a></p>
<h1>${title}</h1>
${isConflict && kind !== null ? conflictNotice(kind) : null}
${kind?.removed ? html`<div class="notice"><p>This kind was removed. <strong>Save changes</strong> brings it back.</p></div>` : null}
${formTag(
  form,
  html`${formField(form, 'version')}
${formField(form, 'name')}
${formField(form, 'icon')}
${formField(form, 'minimum')}
<div class="actions"><button>${kind === null ? 'Add kind' : 'Save changes'}</button> <a href="${fieldsHref()}">Cancel</a></div>
`,
  {
    action: kind === null ? action('/fields/kinds/new', {}, { send: '' }) : kindAction(kind.id),
    class: 'form',
  },
)}
${kind === null || kind.removed ? null : moreOf(kind, definitions, viewer)}`,
  });
}

/** What is there now, beside what was typed. */
function conflictNotice({ id, name, minimum }: ItemKind): Html {
  return html`<div class="notice"><p><strong>Your changes are not saved yet.</strong> Somebody else has changed this kind since you opened the form. Now it is “${name}”${minimum === null ? ', without a minimum' : `, with the minimum ${minimum}`}.</p>
<p>Save to replace this by what stands below, or <a href="${kindHref(id)}">discard your changes</a>.</p></div>`;
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
${kinds.length < 2 ? null : html`<ul><li><a href="${href('/fields/kinds/:id<int>/merge', { id })}">Merge with another kind</a></li></ul>\n`}${formTag(
  openButton(viewer),
  html`<p>Without the kind, its things have none, and its fields are hidden. They keep their values, and Undo brings all back as “${name}”.</p>
<button class="danger">Remove kind</button>`,
  { action: action('/fields/kinds/:id<int>/remove', { id }) },
)}
</section>`;
}
