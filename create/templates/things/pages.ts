/** The pages of one «thing», and what its forms add to them. `html` escapes each value. */
import {
  blankForm,
  defineForm,
  describeValues,
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  type Html,
  html,
  page,
  type Response,
  textsOf,
} from 'seeother';
import { hiddenField } from 'seeother/fields';
// files: import type { StoredFile } from 'seeother/files';
import { layout, type Visitor } from '../layout.ts';
// unless files:
import { type Thing, thingForm } from './fields.ts';
// files: import { type Thing, changeFields, FILES, thingForm } from './fields.ts';
import { action, href } from './links.ts';

/** `version` is that of the «thing» when the page was made. */
export const changeForm = defineForm({
  // unless files:
  ...thingForm.fields,
  // files: ...changeFields,
  version: hiddenField({ revision: true }),
});

/** Only its button is sent. */
export const buttonForm = defineForm({});

export function thingPage(record: Thing, visitor: Visitor): Html {
  const { id } = record;
  const fields = describeValues(thingForm, record).map(
    // unless files:
    ({ label, text }) => html`<dt>${label}</dt><dd>${text === '' ? '–' : text}</dd>\n`,
    // files: ({ name, label, text }) =>
    // files:   html`<dt>${label}</dt><dd>${fileLink(name, record) ?? (text === '' ? '–' : text)}</dd>\n`,
  );
  return layout(
    record.FIRST_FIELD,
    html`<dl>
${fields}</dl>
<p><a href="${href('/things/:id<int>/edit', { id })}">Change</a></p>
${button('Delete', action('/things/:id<int>/delete', { id }), visitor)}`,
    visitor,
  );
}

// files: /** The files that are stored now, above the form that changes them. */
// files: export function storedFiles(record: Thing): readonly (Html | null)[] {
// files:   return describeValues(thingForm, record).map(({ name, label }) => {
// files:     const link = fileLink(name, record);
// files:     return link && html`<p>${label}: ${link}</p>\n`;
// files:   });
// files: }
// files:
// files: /** Null for a field without a file. */
// files: function fileLink(name: string, record: Thing): Html | null {
// files:   const file = findFile(record, name);
// files:   const path = href('/things/:id<int>/files/:name', { id: record.id, name });
// files:   return file && html`<a href="${path}">${file.name || file.id}</a>`;
// files: }
// files:
// files: /** The file of the field; null if there is none. */
// files: export function findFile(record: Thing, name: string): StoredFile | null {
// files:   const field = FILES.find((one) => one === name);
// files:   return field === undefined ? null : record[field];
// files: }
// files:
export function restoreButton(label: string, { id }: Thing, visitor: Visitor): Html {
  return button(label, action('/things/:id<int>/restore', { id }), visitor);
}

function button(label: string, path: string, { session }: Visitor): Html {
  const form = blankForm(buttonForm, {}, undefined, session?.user);
  return formTag(form, html`<button>${label}</button>`, { action: path });
}

/** A «thing» that is deleted can be restored at its address. */
export function deletedPage(record: Thing, visitor: Visitor): Response<404> {
  const main = html`<p>This «thing» was deleted.</p>\n${restoreButton('Restore', record, visitor)}`;
  return page(layout(record.FIRST_FIELD, main, visitor), 404);
}

/** The form as it was sent, with what is stored now beside each field that differs, and with its version. */
export function conflictForm(sent: FilledForm<typeof changeForm.fields>, record: Thing): Html {
  const form = { ...sent, text: { ...sent.text, version: `${record.version}` } };
  const texts = textsOf(thingForm, record, form.language);
  const stored = describeValues(thingForm, record, form.language).flatMap(({ name, text }) =>
    `${texts[name]}` === `${form.text[name]}` ? [] : [[name, text === '' ? '–' : text] as const],
  );
  const now = new Map<string | number, string>(stored);
  const fields = Array.from(form, (part) => {
    const text = now.get(part.key);
    return html`${formField(form, part)}\n${text && html`<p class="hint">Stored now: ${text}</p>\n`}`;
  });
  return html`${errorSummary(form)}${formTag(form, html`${fields}<button>Save</button>`)}`;
}
