/** The notes: their table, their form and their page. */
import { defineForm, type Html, html } from 'seeother';
import type { Connection } from 'seeother/database';
import { textField } from 'seeother/fields';
import { layout } from './layout.ts';
import { KEY } from './open-database.ts';

export interface Note {
  readonly id: number;
  readonly text: string;
}

export const noteForm = defineForm({
  text: textField({
    label: 'Note',
    required: 'Write a note',
    maxLength: 1000,
    multiline: true,
  }),
});

export async function createTables({ run }: Connection): Promise<void> {
  await run(`create table if not exists notes (id ${KEY}, text text not null)`);
}

export async function listNotes({ run }: Connection): Promise<readonly Note[]> {
  const { rows } = await run<Note>('select id, text from notes order by id desc limit 50');
  return rows;
}

export async function addNote({ run }: Connection, text: string): Promise<void> {
  await run('insert into notes (text) values (?)', [text]);
}

export function showNotes(formHtml: Html, flash: string | null, notes: readonly Note[]): Html {
  const list = notes.map(({ text }) => html`<li>${text}</li>\n`);
  return layout('Notes', flash, html`${formHtml}\n<ul class="notes">\n${list}</ul>`);
}
