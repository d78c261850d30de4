/**
 * Reads a submitted form and validates it: adds what was typed (`form`), the result (`validation`)
 * and the status with which a page would show the form again (`status`: 200 or 400).
 *
 * Only declared fields are looked at. A field that comes twice is an error on that field, and so is
 * text that is not UTF-8 or holds a NUL. Fields live in a Map until their names are known to be
 * ours: nothing is ever keyed by what a client has sent.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { readBody } from '../http/body.ts';
import { type ErrorStatus, HttpError } from '../http/http-error.ts';
import { isFormType } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import {
  type Fields,
  type FilledForm,
  type Form,
  type FormValues,
  fillText,
  type Validation,
} from './define-form.ts';
import { rememberForm } from './form-of.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';
import { type SentFields, validateForm } from './validate-form.ts';

/** What `readForm` adds to the context. */
export interface FormContext<F extends Fields, V = FormValues<F>> {
  readonly form: FilledForm<F>;
  readonly validation: Validation<F, V>;
  /** 200, or 400 when the form is not valid; a later middleware may know better. */
  readonly status: 200 | ErrorStatus;
}

/** Bytes; a form of ours fits many times over. */
export const DEFAULT_BODY_LIMIT = 1_048_576;

export interface ReadOptions {
  /** The largest body, in bytes; 1 MiB unless said otherwise. */
  readonly limit?: number;
  /** The path of the page with the form, unless that is the path it is sent to: where it comes back. */
  readonly page?: string;
}

export function readForm<F extends Fields, V>(
  definition: Form<F, V>,
  options: ReadOptions = {},
): Middleware<unknown, FormContext<F, V>> {
  const { limit = DEFAULT_BODY_LIMIT, page = null } = options;
  const middleware: Middleware<unknown, FormContext<F, V>> = describeMiddleware(
    async function readForm(context, next) {
      const sent = groupByName(await readEntries(context.request, limit));
      const form = fill(definition, sent);
      context.request.state.formKey = form.once;
      const validation = await validateForm(definition, sent);
      return next({ ...context, form, validation, status: validation.valid ? 200 : 400 });
    },
    { needs: [], adds: ['form', 'validation', 'status'] },
  );
  rememberForm(middleware, definition, page);
  return middleware;
}

/** Characters of a header that a refusal repeats. */
const LONGEST_QUOTE = 100;

/** Every field that was sent, whether a form declares it or not. Throws a 415 for another kind of body. */
export async function readEntries(request: Request, limit: number): Promise<Entry[]> {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (!isFormType(type)) {
    throw new HttpError(
      415,
      `A form must be sent as application/x-www-form-urlencoded in UTF-8, but this was sent ${type === undefined ? 'without a content type' : `as ${type.slice(0, LONGEST_QUOTE)}`}.`,
    );
  }
  if (coding !== undefined) {
    // RFC 9110 section 15.5.16: the header says what would be read.
    throw new HttpError(
      415,
      `A form must be sent uncompressed, but this was sent with the content coding ${coding.slice(0, LONGEST_QUOTE)}.`,
      { headers: { 'Accept-Encoding': 'identity' } },
    );
  }
  return parseUrlencoded(await readBody(request, limit));
}

/** The form with what was sent: the first text of each declared field, passwords left out. */
export function fillSent<F extends Fields>(
  definition: Form<F, unknown>,
  entries: readonly Entry[],
): FilledForm<F> {
  return fill(definition, groupByName(entries));
}

/** Whether the text may be the key of a form. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{1,64}$/.test(text);
}

function groupByName(entries: readonly Entry[]): SentFields {
  return Map.groupBy(entries, (entry) => entry.name);
}

function fill<F extends Fields>(definition: Form<F, unknown>, sent: SentFields): FilledForm<F> {
  const text = fillText(definition, (name) =>
    definition.fields[name]?.control === 'password' ? '' : firstText(sent, name),
  );
  const once = firstText(sent, '_once');
  return { definition, text, once: isKey(once) ? once : null };
}

function firstText(sent: SentFields, name: string): string {
  return sent.get(name)?.[0]?.text.replaceAll('\r\n', '\n') ?? '';
}
