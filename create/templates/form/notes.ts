/** The form of a note, and the page of all. */
import { defineForm, type Html, html } from 'seeother';
import { textField } from 'seeother/fields';
import type { Note } from './database.ts';
import { layout } from './layout.ts';

export const noteForm = defineForm({
  text: textField({
    label: 'Note',
    required: 'Write a note',
    maxLength: 1000,
    multiline: true,
  }),
});

export function showNotes(formHtml: Html, flash: string | null, notes: readonly Note[]): Html {
  const list = notes.map(({ text }) => html`<li>${text}</li>\n`);
  return layout('Notes', flash, html`${formHtml}\n<ul class="notes">\n${list}</ul>`);
}
