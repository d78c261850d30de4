/**
 * The client of every fault. It sends forms that create one item each, and records the answers.
 * Afterwards it compares them with the database: an acknowledged item that is missing is lost, an item
 * that was never sent is a ghost, an item that exists twice is doubled.
 */
import { DatabaseSync } from 'node:sqlite';
import { encodeFields } from 'seeother/testing';
import { fileOf } from '../application/testing/create-test-database.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';

export const FORM = 'application/x-www-form-urlencoded';

export interface SentForm {
  readonly name: string;
  readonly body: string;
  /** The path of its item, after an answer has named it. */
  path: string | null;
}

export interface Books {
  readonly forms: SentForm[];
  /** Statuses other than 303, with their counts. */
  readonly refusals: Map<number, number>;
  /** Milliseconds until each answer. */
  readonly times: number[];
}

export function createBooks(): Books {
  return { forms: [], refusals: new Map(), times: [] };
}

export function nextForm({ forms }: Books): SentForm {
  const name = `Thing ${forms.length}`;
  const form = { name, body: encodeFields({ name, _once: `form-${forms.length}` }), path: null };
  forms.push(form);
  return form;
}

/** Whether there was an answer; a broken connection is none. */
export async function sendForm(
  books: Books,
  form: SentForm,
  url: string,
  cookie: string,
): Promise<boolean> {
  const start = performance.now();
  try {
    const answer = await fetch(`${url}/items`, {
      method: 'POST',
      headers: { 'content-type': FORM, cookie },
      body: form.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    books.times.push(performance.now() - start);
    if (answer.status === 303) form.path = answer.headers.get('location');
    else books.refusals.set(answer.status, (books.refusals.get(answer.status) ?? 0) + 1);
    return true;
  } catch {
    return false;
  }
}

/** Creates the first account; resolves to the Cookie header of its session. */
export async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': FORM },
    body: encodeFields({ username: 'ada', password: 'correct horse battery' }),
    redirect: 'manual',
  });
  const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith('sid='));
  if (cookie === undefined) throw new Error(`Cannot log in: the answer is ${answer.status}.`);
  return cookie.slice(0, cookie.indexOf(';'));
}

export interface ItemRow {
  readonly number: number;
  readonly name: string;
}

/** All items, read without the application. */
export async function readItems(databaseUrl: string): Promise<readonly ItemRow[]> {
  const statement = 'select number, name from items';
  if (!databaseUrl.startsWith('sqlite:'))
    return (await runSql(databaseUrl, statement)).map(toItemRow);
  const database = new DatabaseSync(fileOf(databaseUrl), { readOnly: true });
  const rows = database.prepare(statement).all();
  database.close();
  return rows.map(toItemRow);
}

function toItemRow({ number, name }: Readonly<Record<string, unknown>>): ItemRow {
  return { number: Number(number), name: String(name) };
}

export interface Balance {
  /** Acknowledged, but missing under their path. */
  readonly lost: number;
  /** Present, but never sent. */
  readonly ghosts: number;
  /** Present more than once. */
  readonly doubled: number;
  /** Skipped numbers between the lowest and the highest. */
  readonly gaps: number;
}

export function compareBooks({ forms }: Books, rows: readonly ItemRow[]): Balance {
  const byPath = new Map(rows.map(({ number, name }) => [`/items/${number}`, name]));
  const counts = Map.groupBy(rows, ({ name }) => name);
  const sent = new Set(forms.map(({ name }) => name));
  const highest = rows.reduce((most, { number }) => Math.max(most, number), 0);
  return {
    lost: forms.filter(({ path, name }) => path !== null && byPath.get(path) !== name).length,
    ghosts: rows.filter(({ name }) => !sent.has(name)).length,
    doubled: [...counts.values()].filter((all) => all.length > 1).length,
    gaps: highest - rows.length,
  };
}
