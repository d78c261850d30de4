/**
 * Reads the text of a refused form for the error page, so that the user can copy it. It is 65,536
 * characters at most in all, see cut-text.ts. If the route declares a form, fields have their
 * labels, and passwords are left out. Otherwise fields have their names, and names that suggest a
 * secret are left out.
 *
 * A form that was refused for its size is read too, up to four times the limit.
 */

import type { Context } from '../chain/context.ts';
import { readRefusedBody } from '../http/body.ts';
import { isForm } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { cutText, lengthToFit } from './cut-text.ts';
import { isTyped } from './field.ts';
import { formOf, type RouteForm } from './form-of.ts';
import { readEntries } from './read-form.ts';
import { isSecret } from './secret-name.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';

/** A refused body is read up to this many times the limit of a form. */
const REFUSED_LIMIT_FACTOR = 4;

/** Characters. A field with a longer name is not shown. */
const MAX_NAME_LENGTH = 100;

/** One field of a form as it was typed, for an error page that gives it back. */
export interface TypedText {
  /** The label of the field, or its name if the route declares no form. */
  readonly label: string;
  /** The text, cut when `length` is larger. */
  readonly text: string;
  /** UTF-16 code units of the whole text. */
  readonly length: number;
}

/**
 * What was typed into the form of a request, without secrets, for an error page. Empty for an empty or
 * unreadable form. `limit` is that of `readForm`, in bytes.
 */
export async function readTyped(
  { request, route }: Context,
  limit: number,
): Promise<readonly TypedText[]> {
  const typed = labelled(await readAll(request, limit), route === null ? null : formOf(route));
  const maxLength = lengthToFit(typed.map(({ text }) => text));
  return typed.map(({ label, text }) => ({
    label,
    text: cutText(text, maxLength),
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
    if (field === undefined || field.control === 'password' || !isTyped(field)) return [];
    return entries
      .filter((entry) => entry.name === name && entry.text !== '')
      .map(({ text }) => ({ label: field.label, text }));
  });
}

/** Whether to show a field that no form declares. */
function isShown(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !isOurs(name) && !isSecret(name);
}

/** Fields that pages add themselves, and that no user has typed. */
function isOurs(name: string): boolean {
  return name.startsWith('_') || name === 'next';
}

async function readAll(request: Request, limit: number): Promise<readonly Entry[]> {
  try {
    return await readEntries(request, limit);
  } catch {
    return readRefused(request, limit * REFUSED_LIMIT_FACTOR).catch(() => []);
  }
}

async function readRefused(request: Request, limit: number): Promise<readonly Entry[]> {
  if (!isForm(request.headers)) return [];
  const body = await readRefusedBody(request, limit);
  return body === null ? [] : parseUrlencoded(body);
}
