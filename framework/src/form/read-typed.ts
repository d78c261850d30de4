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

/** Whole words: a passenger, a shipping address and a postcode are no secrets. */
const SECRET_WORD = /^(?:pass|pin|secret|token|code)$/i;
/** No other word has these in it, so that they count within one too: newpassword, passwordagain. */
const SECRET_PART = /password|passwd|passphrase|passcode/i;

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
      .filter(({ name, text }) => text !== '' && !isOurs(name) && !isSecret(name))
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

/** What pages carry along, and nobody has typed. */
function isOurs(name: string): boolean {
  return name.startsWith('_') || name === 'next';
}

/** By the words of the name, whether camelCase, underscores, hyphens or digits part them. */
function isSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .split(/[^A-Za-z]/);
  return SECRET_PART.test(name) || words.some((word) => SECRET_WORD.test(word));
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
