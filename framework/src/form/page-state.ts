/**
 * Tells whether the text of a form was typed on the page that it stands on. Firefox puts typed text into a page that it
 * loads again (F5). After Back, every browser puts it into a newer page, if it has stored one of the same address, such as
 * from another tab. The hidden fields are those of the newer page, for example the version of a record.
 *
 * Browsers restore the chosen options of a `<select>` by their values, and lose one that the newer page does not have. So
 * a form without the option of its hidden fields was typed on another page. This needs no script, and no field without
 * `autocomplete`.
 */
import { hash } from 'node:crypto';
import { type Html, html } from '../http/html.ts';
import type { FilledForm } from './define-form.ts';
import type { Fields, FormText } from './field-set.ts';
import { findField, type Sent, toEntries } from './sent-fields.ts';

const NAME = '_page';

/** A hidden select with one option that every page has, and one of the hidden fields. Null without such fields. */
export function pageStateField<F extends Fields>(form: Partial<FilledForm<F>>): Html | null {
  const { definition, text } = form;
  if (definition?.hasState !== true) return null;
  const pairs = toEntries(definition, text as FormText<Fields>).filter(([name]) => {
    const field = findField(definition, name);
    return field !== null && typeof field === 'object' && field.control === 'hidden';
  });
  const state = hash('sha256', JSON.stringify(pairs), 'base64url').slice(0, 12);
  return html`<span hidden><select name="${NAME}" multiple><option selected>page</option><option selected>${state}</option></select></span>`;
}

/** Whether the text of the form was typed on an earlier page than its hidden fields. False for a program's form. */
export function isTypedEarlier(sent: Sent): boolean {
  return sent.get(NAME).entries.length === 1;
}
