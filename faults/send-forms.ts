/**
 * The client of every fault: sends forms that each make one item, and remembers what was answered.
 * Afterwards the books are compared with the database: what was acknowledged must be there (lost),
 * nothing may be there that nobody sent (ghost), and nothing twice (doubled).
 */
import { DatabaseSync } from 'node:sqlite';
import { encodeFields } from 'seeother/testing';
import { fileOf } from '../application/testing/open-test-database.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';

export const FORM = 'application/x-www-form-urlencoded';

export interface SentForm {
  readonly name: string;
  readonly body: string;
  /** The path of its item, once an answer said so. */
  path: string | null;
}

export interface Books {
  readonly forms: SentForm[];
  /** Statuses other than 303, with how often each came. */
  readonly refusals: Map<number, number>;
  /** Milliseconds that each answer took. */
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

/** Whether there was any answer; a broken connection is none. */
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

/** Makes the first account; resolves to the Cookie header of its session. */
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

/** All items, read past the application. */
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
  /** Acknowledged, and not there under the path that was said. */
  readonly lost: number;
  /** There, and sent by nobody. */
  readonly ghosts: number;
  /** There more than once. */
  readonly doubled: number;
  /** Numbers left out between the lowest and the highest. */
  readonly gaps: number;
}

export function compareBooks({ forms }: Books, rows: readonly ItemRow[]): Balance {
  const byPath = new Map(rows.map(({ number, name }) => [`/items/${number}`, name]));
  const counts = Map.groupBy(rows, ({ name }) => name);
  const sent = new Set(forms.map(({ name }) => name));
  const numbers = rows.map(({ number }) => number);
  return {
    lost: forms.filter(({ path, name }) => path !== null && byPath.get(path) !== name).length,
    ghosts: rows.filter(({ name }) => !sent.has(name)).length,
    doubled: [...counts.values()].filter((all) => all.length > 1).length,
    gaps: rows.length === 0 ? 0 : Math.max(...numbers) - rows.length,
  };
}
