/** The table and every query. A function that writes takes the transaction of a form. */
import type { Connection } from 'seeother/database';
import { KEY } from './open-database.ts';

export interface Note {
  readonly id: number;
  readonly text: string;
}

export async function migrate({ run }: Connection): Promise<void> {
  await run(`create table if not exists notes (id ${KEY}, text text not null)`);
}

export async function listNotes({ run }: Connection): Promise<readonly Note[]> {
  const { rows } = await run<Note>('select id, text from notes order by id desc limit 50');
  return rows;
}

export async function addNote({ run }: Connection, text: string): Promise<void> {
  await run('insert into notes (text) values (?)', [text]);
}
