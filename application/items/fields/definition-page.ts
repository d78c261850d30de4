/** What the pages that change kinds and fields share: their frame, and what they say of a change and of a conflict. */
import {
  errorSummary,
  type Fields,
  type FilledForm,
  formTag,
  formTitle,
  type Href,
  type Html,
  html,
} from 'seeother';
import { fieldsHref, undoFieldsAction } from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { layout, type Viewer } from '../../site/layout.ts';

interface DefinitionPage<F extends Fields> {
  readonly viewer: Viewer;
  readonly title: string;
  readonly form: FilledForm<F>;
  /** Between the heading and the form. */
  readonly about?: Html | null;
  /** Null if there is nothing to send. */
  readonly fields: Html | null;
  readonly button: string;
  readonly action: string;
  /** Below the form. */
  readonly more?: Html | null;
  readonly back?: Href;
}

export function definitionPage<F extends Fields>(page: DefinitionPage<F>): Html {
  const { viewer, title, form, about = null, fields, button, action, more = null, back } = page;
  return layout({
    title: formTitle(`${title} – Fields`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${back ?? fieldsHref()}">← ${back === undefined ? 'Kinds and fields' : 'Back'}</a></p>
<h1>${title}</h1>
${about}${
  fields === null
    ? null
    : formTag(
        form,
        html`${fields}
<div class="actions"><button>${button}</button> <a href="${back ?? fieldsHref()}">Cancel</a></div>
`,
        { action, class: 'form' },
      )
}
${more}`,
  });
}

type What = 'field' | 'kind';

/** What is there now, beside what was typed. `page` is that of the field or kind. */
export function conflictNotice(what: What, now: Html, page: Href): Html {
  return html`<div class="notice"><p><strong>Your changes are not saved yet.</strong> Somebody else has changed this ${what} since you opened the form. ${now}
<p>Save to replace this by what stands below, or <a href="${page}">discard your changes</a>.</p></div>`;
}

export function removedNotice(what: What, along = ''): Html {
  return html`<div class="notice"><p>This ${what} was removed. <strong>Save changes</strong> brings it back${along}.</p></div>`;
}

export function removeForm(what: What, about: string, viewer: Viewer, action: string): Html {
  const button = html`<p>${about}</p>\n<button class="danger">Remove ${what}</button>`;
  return formTag(openButton(viewer), button, { action });
}

const CONFLICT = 'Somebody else has changed this';

/** The answer to a form that was made of an older version. */
export function refuseOld<Name extends string>(field: Name, what: What) {
  const message = `${CONFLICT} ${what} since you opened the form`;
  return { errors: [{ field, message }], status: 409 } as const;
}

interface Shown<Form> {
  readonly form: Form;
  readonly errors: readonly { readonly message: string }[];
  readonly isSent: boolean;
}

/** After a conflict, what is sent next was typed beside what is there now. */
export function besideNow<Form extends { readonly text: { readonly version: string } }>(
  { form, errors, isSent }: Shown<Form>,
  now: { readonly version: number },
): { readonly form: Form; readonly isConflict: boolean } {
  const isConflict = isSent && errors.some(({ message }) => message.startsWith(CONFLICT));
  if (!isConflict) return { form, isConflict };
  return { form: { ...form, text: { ...form.text, version: String(now.version) } }, isConflict };
}

/** After a change of the log with that id; null if nothing was changed. */
export function answerChange(
  change: number | null,
  done: string,
  nothing = 'Nothing was changed.',
) {
  const path = fieldsHref();
  if (change === null) return { path, message: nothing };
  return { path, message: done, action: { label: 'Undo', path: undoFieldsAction(change) } };
}
