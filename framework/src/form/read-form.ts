/**
 * Reads a submitted form and validates it: adds what was typed (`form`), the result (`validation`)
 * and the status with which a page would show the form again (`status`: 200 or 400).
 *
 * Only declared fields are looked at. A field that comes twice is an error on that field, and so is
 * text that is not UTF-8 or holds a NUL. Fields live in a Map until their names are known to be
 * ours: nothing is ever keyed by what a client has sent.
 */
import { readBody } from '../body.ts';
import type { Middleware } from '../context.ts';
import { describeMiddleware } from '../describe-middleware.ts';
import { type ErrorStatus, HttpError } from '../http-error.ts';
import type { Request } from '../request.ts';
import {
  type Fields,
  type FilledForm,
  type Form,
  type FormError,
  fillText,
  type Validation,
} from './define-form.ts';
import { isFormType } from './media-type.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';

/** What `readForm` adds to the context. */
export interface FormContext<F extends Fields> {
  readonly form: FilledForm<F>;
  readonly validation: Validation<F>;
  /** 200, or 400 when the form is not valid; a later middleware may know better. */
  readonly status: 200 | ErrorStatus;
}

/** Bytes; a form of ours fits many times over. */
export const DEFAULT_BODY_LIMIT = 1_048_576;

const FLAWS = {
  encoding: 'has characters that could not be read; type it again',
  nul: 'must not contain a NUL character',
  repeated: 'was sent twice; send it once',
} as const;

/** `limit` is the largest body in bytes; 1 MiB unless said otherwise. */
export function readForm<F extends Fields>(
  definition: Form<F>,
  options: { readonly limit?: number } = {},
): Middleware<unknown, FormContext<F>> {
  const { limit = DEFAULT_BODY_LIMIT } = options;
  return describeMiddleware(
    async function readForm(context, next) {
      const sent = groupByName(await readEntries(context.request, limit));
      const form = fill(definition, sent);
      const validation = validate(definition, sent);
      return next({ ...context, form, validation, status: validation.valid ? 200 : 400 });
    },
    { needs: [], adds: ['form', 'validation', 'status'] },
  );
}

/** Every field that was sent, whether a form declares it or not. Throws a 415 for another media type. */
export async function readEntries(request: Request, limit: number): Promise<Entry[]> {
  if (!isFormType(request.headers['content-type'])) {
    const kind = request.headers['content-type'];
    throw new HttpError(
      415,
      `A form must be sent as application/x-www-form-urlencoded in UTF-8, but this was sent ${kind === undefined ? 'without a content type' : `as ${kind}`}.`,
    );
  }
  return parseUrlencoded(await readBody(request, limit));
}

function groupByName(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  return Map.groupBy(entries, (entry) => entry.name);
}

type Sent = ReturnType<typeof groupByName>;

function fill<F extends Fields>(definition: Form<F>, sent: Sent): FilledForm<F> {
  const text = fillText(definition, (name) =>
    definition.fields[name]?.control === 'password' ? '' : firstText(sent, name),
  );
  const once = firstText(sent, '_once');
  return { definition, text, once: /^[\w-]{1,64}$/.test(once) ? once : null };
}

function firstText(sent: Sent, name: string): string {
  return sent.get(name)?.[0]?.text.replaceAll('\r\n', '\n') ?? '';
}

function validate<F extends Fields>(definition: Form<F>, sent: Sent): Validation<F> {
  const errors: FormError<F>[] = [];
  const values = new Map<string, unknown>();
  for (const name of definition.names) {
    const parsed = parseField(definition, name, sent.get(name) ?? []);
    if (parsed.ok) values.set(name, parsed.value);
    else errors.push({ field: name, message: parsed.message });
  }
  if (errors.length > 0) return { valid: false, errors };
  return { valid: true, values: Object.fromEntries(values) as never };
}

function parseField<F extends Fields>(
  definition: Form<F>,
  name: keyof F & string,
  sent: readonly Entry[],
) {
  const field = definition.fields[name] as Fields[string];
  const [first] = sent;
  const flaw = sent.length > 1 ? 'repeated' : (first?.flaw ?? null);
  if (flaw !== null) return { ok: false, message: `${field.label} ${FLAWS[flaw]}` } as const;
  return field.parse(first?.text ?? '');
}
