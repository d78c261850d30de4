/**
 * What was typed into a form that was refused, for the page that says so: people can copy it, and
 * nothing is lost. Where the route says which form it reads, fields have their labels, and what is a
 * password is known; elsewhere their names have to do, and a name that sounds like a secret is left
 * out.
 *
 * The hard case is a form that is too large: it is read all the same, up to a bound.
 */
import { readRefusedBody } from '../body.ts';
import type { Context } from '../context.ts';
import type { Request } from '../request.ts';
import { formOf } from './form-of.ts';
import { isFormType } from './media-type.ts';
import { readEntries } from './read-form.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';

/** How many times the limit of a form the page of its refusal may hold. */
const LARGEST = 4;
const SECRET_OR_OURS = /^_|pass|pin|secret|token|code|^next$/i;

export interface TypedText {
  /** The label of the field; its name where no form declares it. */
  readonly label: string;
  readonly text: string;
}

/** Empty when nothing was typed, or when it cannot be read. `limit` is that of `readForm`, in bytes. */
export async function readTyped(
  { request, route }: Context,
  limit: number,
): Promise<readonly TypedText[]> {
  const entries = await readAll(request, limit);
  const form = route === null ? null : formOf(route);
  if (form === null) {
    return entries
      .filter(({ name, text }) => text !== '' && !SECRET_OR_OURS.test(name))
      .map(({ name, text }) => ({ label: name, text }));
  }
  const { fields, names } = form.definition;
  return names.flatMap((name) => {
    const field = fields[name];
    if (field === undefined || field.control === 'password' || field.control === 'hidden')
      return [];
    return entries
      .filter((entry) => entry.name === name && entry.text !== '')
      .map(({ text }) => ({ label: field.label, text }));
  });
}

async function readAll(request: Request, limit: number): Promise<readonly Entry[]> {
  try {
    return await readEntries(request, limit);
  } catch {
    return readRefused(request, limit * LARGEST).catch(() => []);
  }
}

async function readRefused(request: Request, most: number): Promise<readonly Entry[]> {
  if (!isFormType(request.headers['content-type'])) return [];
  const body = await readRefusedBody(request, most);
  return body === null ? [] : parseUrlencoded(body);
}
