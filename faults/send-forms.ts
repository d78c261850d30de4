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
}

export function createBooks(): Books {
  return { forms: [], refusals: new Map() };
}

export function nextForm({ forms }: Books): SentForm {
  const name = `Thing ${forms.length}`;
  const form = { name, body: encodeFields({ name, _once: `form-${forms.length}` }), path: null };
  forms.push(form);
  return form;
}

/** Rejects if the connection breaks. */
export async function postForm(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  cookie = '',
  type = FORM,
): Promise<{
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
}> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, cookie },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  await answer.arrayBuffer();
  const { status, headers } = answer;
  return { status, headers, location: headers.get('location') };
}

/** Whether there was an answer; a broken connection is none. */
export async function sendForm(
  books: Books,
  form: SentForm,
  url: string,
  cookie: string,
): Promise<boolean> {
  try {
    const { status, location } = await postForm(`${url}/items`, form.body, cookie);
    if (status === 303) form.path = location;
    else books.refusals.set(status, (books.refusals.get(status) ?? 0) + 1);
    return true;
  } catch {
    return false;
  }
}

/** Such as `12 of 503`. */
export function describeRefusals({ refusals }: Books): string {
  return [...refusals].map(([status, count]) => `${count} of ${status}`).join(' and ') || 'none';
}

/** Creates the first account; resolves to the Cookie header of its session. */
export async function logIn(url: string): Promise<string> {
  const account = encodeFields({ username: 'ada', password: 'correct horse battery' });
  const { status, headers } = await postForm(`${url}/register`, account);
  const [cookie] = headers.getSetCookie().filter((line) => line.startsWith('sid='));
  if (cookie === undefined) throw new Error(`Cannot log in: the answer is ${status}.`);
  return cookie.slice(0, cookie.indexOf(';'));
}

/** Works on so many of them at once. */
export async function forEach<T>(
  all: Iterable<T>,
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(all);
  const workOn = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
}

export interface ItemRow {
  readonly number: number;
  readonly name: string;
}

/** All items, read without the application. */
export async function readItems(databaseUrl: string): Promise<readonly ItemRow[]> {
  return (await readRows(databaseUrl, 'select number, name from items')).map(toItemRow);
}

export type DatabaseRow = Readonly<Record<string, unknown>>;

export async function readRows(url: string, statement: string): Promise<readonly DatabaseRow[]> {
  if (!url.startsWith('sqlite:')) return runSql(url, statement);
  const database = new DatabaseSync(fileOf(url), { readOnly: true });
  const rows = database.prepare(statement).all();
  database.close();
  return rows;
}

/** Writes as another program, while the service runs. */
export async function runStatement(url: string, statement: string): Promise<void> {
  if (!url.startsWith('sqlite:')) {
    await runSql(url, statement);
    return;
  }
  const database = new DatabaseSync(fileOf(url), { timeout: 10_000 });
  database.exec(statement);
  database.close();
}

function toItemRow({ number, name }: DatabaseRow): ItemRow {
  return { number: Number(number), name: String(name) };
}

export interface Balance {
  readonly acknowledged: number;
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
  const acknowledged = forms.filter(({ path }) => path !== null);
  const highest = rows.reduce((most, { number }) => Math.max(most, number), 0);
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ path, name }) => byPath.get(path ?? '') !== name).length,
    ghosts: rows.filter(({ name }) => !sent.has(name)).length,
    doubled: [...counts.values()].filter((all) => all.length > 1).length,
    gaps: highest - rows.length,
  };
}
