/**
 * What was typed into a form that was refused, for the page that says so: people can copy it. It is
 * 65,536 characters at most in all, see cut-text.ts. Where the route says which form it reads, fields have their labels, and what is a
 * password is known; elsewhere their names have to do, and a name that sounds like a secret is left
 * out.
 *
 * The hard case is a form that is too large: it is read all the same, up to a bound.
 */

import type { Context } from '../chain/context.ts';
import { readRefusedBody } from '../http/body.ts';
import { isForm } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { cutText, lengthToFit } from './cut-text.ts';
import { formOf, type RouteForm } from './form-of.ts';
import { readEntries } from './read-form.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';

/** How many times the limit of a form the page of its refusal may hold. */
const LARGEST = 4;

/** Whole words: a passenger, a shipping address and a postcode are no secrets. */
const SECRET_WORD = /^(?:pass|pin|secret|token|code)$/i;
/** No other word has these in it, so that they count within one too: newpassword, passwordagain. */
const SECRET_PART = /password|passwd|passphrase|passcode/i;

/** Characters; a field with a longer name is in no form of ours. */
const LONGEST_NAME = 100;

export interface TypedText {
  /** The label of the field; its name where no form declares it. */
  readonly label: string;
  /** The beginning, where `length` says more. */
  readonly text: string;
  /** UTF-16 code units of the whole text. */
  readonly length: number;
}

/** Empty when nothing was typed, or when it cannot be read. `limit` is that of `readForm`, in bytes. */
export async function readTyped(
  { request, route }: Context,
  limit: number,
): Promise<readonly TypedText[]> {
  const typed = labelled(await readAll(request, limit), route === null ? null : formOf(route));
  const most = lengthToFit(typed.map(({ text }) => text));
  return typed.map(({ label, text }) => ({
    label,
    text: cutText(text, most),
    length: text.length,
  }));
}

function labelled(
  entries: readonly Entry[],
  form: RouteForm | null,
): readonly { readonly label: string; readonly text: string }[] {
  if (form === null) {
    return entries
      .filter(({ name, text }) => text !== '' && isShown(name))
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

/** Of a field that no form declares. */
function isShown(name: string): boolean {
  return name.length <= LONGEST_NAME && !isOurs(name) && !isSecret(name);
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
  if (!isForm(request.headers)) return [];
  const body = await readRefusedBody(request, most);
  return body === null ? [] : parseUrlencoded(body);
}
