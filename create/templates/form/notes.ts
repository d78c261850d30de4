/** The form of a note, and the page of all. */
import { defineForm, type Html, html } from 'seeother';
import { textField } from 'seeother/fields';
import type { Note } from './database.ts';
import { layout, type Visitor } from './layout.ts';

export const noteForm = defineForm({
  text: textField({
    label: 'Note',
    required: 'Write a note',
    maxLength: 1000,
    multiline: true,
  }),
});

export function showNotes(
  context: Visitor & { readonly formHtml: Html },
  notes: readonly Note[],
): Html {
  const list = notes.map(({ text }) => html`<li>${text}</li>\n`);
  return layout('Notes', html`${context.formHtml}\n<ul class="notes">\n${list}</ul>`, context);
}
