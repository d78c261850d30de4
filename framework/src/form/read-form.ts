/**
 * Adds the submitted text (`form`), the result (`validation`) and the status of a page that shows the form again
 * (`status`, 200 or 400). Text that is not UTF-8 or contains a NUL is an error of its field. Submitted names are
 * keys of a Map, never of an object, so a name such as `__proto__` does no harm.
 */

import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { isFile } from '../field/field.ts';
import { receiveWhole } from '../field/received-form.ts';
import { readBody } from '../http/body.ts';
import { COUNT, checkOptions, OBJECT, type OptionKinds, TEXT } from '../http/check-options.ts';
import { type ErrorStatus, HttpError } from '../http/http-error.ts';
import { isFormType, isMultipart } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { Slot } from '../http/slot.ts';
import { type Entry, parseUrlencoded } from '../http/urlencoded.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { formKeySlot } from '../session/form-key.ts';
import { bindForm, bindReceived, findPart, WITH_PARTS } from './bound-part.ts';
import { addMissingRows } from './build-texts.ts';
import { CHANGE, changeText } from './change-form.ts';
import {
  errorsOf,
  type Fields,
  type FilledForm,
  type Form,
  type FormText,
  type FormValues,
  type SentField,
  type SomeForm,
  type Validation,
} from './define-form.ts';
import { fillRows, rowsToFill } from './fill-pasted.ts';
import { formLimitOf, formOfRequest, formSlot, maxEntriesOf, toRouteForm } from './form-of.ts';
import { formScriptSlot } from './form-script.ts';
import { type FormSource, makeForm } from './form-source.ts';
import { isTypedEarlier, keyOfText } from './page-state.ts';
import { isPasteName } from './paste-fields.ts';
import { findChangedFields, tellChanged } from './run-time-fields.ts';
import { SAVED } from './saving.ts';
import { isSecretName } from './secret-name.ts';
import { type SentTree, toLines } from './sent.ts';
import {
  findField,
  isFieldPath,
  refuseIndex,
  type Sorted,
  sortEntries,
  textsOf,
  toEntries,
} from './sent-fields.ts';
import { validateForm } from './validate-form.ts';

/** What `readForm` adds to the context. */
export interface FormContext<F extends Fields, V = FormValues<F>> {
  readonly form: FilledForm<F>;
  readonly validation: Validation<F, V>;
  /** 200, or 400 when the form is invalid. Later middleware may change it. */
  readonly status: 200 | ErrorStatus;
}

export interface ReadOptions {
  /** The largest body, in bytes; by default that of all forms of the site, or 1 MiB. */
  readonly limit?: number;
  /**
   * The path of the page with the form, or its pattern with parameters of the route, such as
   * `/items/:number<int>`, each with the `base` of the router. A draft is restored there, and who opens the
   * address of the form is led there. Default: the path it is sent to.
   */
  readonly page?: string;
  /**
   * For a function that makes the form: the form that stands in for it when a request is refused before the function
   * was called. A form with files needs it, or they would have to be chosen again.
   */
  readonly base?: SomeForm;
}

export const READ_KINDS: OptionKinds<ReadOptions> = { limit: COUNT, page: TEXT, base: OBJECT };

/**
 * Reads and validates a submitted form. Throws a 415 for another content type, a 413 for a body over the limit and a
 * 400 for an unusable idempotency key. Fields that the form does not declare are ignored; a repeated field is an error
 * of that field.
 */
export function readForm<F extends Fields, V, Needs = unknown>(
  source: FormSource<Context & Needs, F, V>,
  options: ReadOptions = {},
): Middleware<Needs, FormContext<F, V>> {
  const form = typeof source === 'function' ? null : source;
  if (form !== null && !Array.isArray(form?.names)) {
    throw new TypeError(
      'Cannot read a form without its definition. Pass what defineForm returned: readForm(form).',
    );
  }
  checkOptions('readForm', options, READ_KINDS);
  const { base = null, ...route } = options;
  const varies = form === null;
  const known = toRouteForm((form ?? base) as Form<F, V> | null, { ...route, varies });
  return describeMiddleware(
    async function readForm(context, next) {
      const { request } = context;
      // A form in steps is known already.
      if (!varies || formSlot.of(request) === null) formSlot.set(request, known);
      const use = (made: Form<F, V>) => {
        formSlot.set(request, toRouteForm(made, route));
        return made;
      };
      // The function is called twice for a form with files: what it has typed is known once they are received.
      const first =
        form ??
        (isMultipart(request.headers['content-type'])
          ? use(await makeForm(source, context))
          : null);
      const received = first?.receive != null ? await receiveWhole(first.receive, context) : null;
      const entries = received === null ? await readEntries(context) : received.entries;
      const making = form ?? makeForm(source, context, entries);
      const made = making instanceof Promise ? await making : making;
      // What stands in for the form was read without files.
      if (received === null && made.receive != null) withoutFiles(made, entries, request);
      const definition = form ?? use(made);
      const read = await readSent(definition, entries, request);
      const responding = next({ ...context, ...read });
      if (received === null) return responding;
      const response = await responding;
      const { status } = response;
      // A button may check only some of the fields.
      const isOver = status === 303 || (read.validation.valid && status < 400);
      if (!isOver) await received.park(toEntries(bindForm(read.form)).map(([, text]) => text));
      return response;
    },
    { needs: [] as never, adds: ['form', 'validation', 'status'], form: known },
  );
}

/** What a form adds to the context. */
export async function readSent<F extends Fields, V>(
  definition: Form<F, V>,
  entries: readonly Entry[],
  request: Request,
): Promise<FormContext<F, V>> {
  const whole = sortEntries(definition, entries);
  const isEarlier = isTypedEarlier(definition, whole.sent);
  const used = isEarlier ? withoutRevisions(entries, whole) : entries;
  const sorted = used === entries ? whole : sortEntries(definition, used);
  const { sent, wrongIndex } = sorted;
  if (wrongIndex !== null) throw refuseIndex(wrongIndex);
  const language = languageOf(request);
  const filled = fill(definition, used, sorted, language);
  const form = isEarlier && used === entries ? { ...filled, isTypedEarlier: true } : filled;
  if (form.once === null && sent.get('_once').text !== '') throw unusableKey();
  formKeySlot.set(request, form.once);
  const changed = changeSent<F, V>(form, sent, request);
  if (changed !== null) return changed;
  const found = validateForm(definition, bindReceived(form, sent), language);
  const validation = withChanged(found instanceof Promise ? await found : found, form, entries);
  if (validation.valid) return { form, validation, status: 200 };
  return { form: { ...form, errors: validation.errors }, validation, status: 400 };
}

/** A valid form is refused if text was sent for a field that is gone since its page was made. */
function withChanged<F extends Fields, V>(
  validation: Validation<F, V>,
  { definition, language = english }: FilledForm<F>,
  entries: readonly Entry[],
): Validation<F, V> {
  const known = definition as unknown as Form<Fields>;
  const changed = findChangedFields(known, entries, language);
  if (changed.gone.length === 0 && (validation.valid || changed.added.length === 0))
    return validation;
  const errors = tellChanged(errorsOf(validation) as never, changed, known, language);
  return { valid: false, errors: errors as never, parsed: validation.parsed ?? {} };
}

/** Whether the request only changes the page of its form: then the page is the answer. */
export const changeSlot: Slot<boolean> = new Slot(false);

/** The form after a button that changes nothing else, or with the cells that were sent in its rows; null for others. */
function changeSent<F extends Fields, V>(
  form: FilledForm<F>,
  sent: SentTree,
  request: Request,
): Promise<FormContext<F, V>> | null {
  const change = sent.get(CHANGE).text;
  if (change !== '') changeSlot.set(request, true);
  const rows = form.definition.hasPaste ? rowsToFill(bindReceived(form, sent), change) : [];
  if (rows.length > 0) return fillRows(form, rows);
  return change === '' ? null : showChanged(form, sent, change, request);
}

/** The form of a button that changes nothing but the form, or of a check of the script. */
async function showChanged<F extends Fields, V>(
  form: FilledForm<F>,
  sent: SentTree,
  change: string,
  request: Request,
): Promise<FormContext<F, V>> {
  const script = change.startsWith('check ') ? formScriptSlot.of(request) : null;
  if (script === null) {
    const { text, focus } = changeText(form, change);
    const { definition, language = english } = form;
    const all = change.startsWith('update ') ? addMissingRows(definition, text, language) : text;
    const changed = { ...form, text: all as FormText<F>, focus, change };
    return { form: changed, validation: { valid: false, errors: [] }, status: 200 };
  }
  await script.limit(request);
  const { definition, language = english } = form;
  const whole = bindReceived(form, sent);
  const [, name = ''] = change.split(' ', 2);
  // Or one input of it, such as that of a day.
  const part = findPart(whole, name) ?? findPart(whole, name.replace(/\.[^.]*$/, ''));
  // Cells that are not in the rows yet are no mistake.
  const focus = part === null || isPasteName(part.key) ? null : part.path;
  // Of that part alone. What `check` and `send` would find is not told.
  const all = errorsOf<F>(await validateForm(definition, whole, language));
  const errors = all.filter(({ field }) => field !== null && field === focus);
  return { form: { ...form, focus }, validation: { valid: false, errors }, status: 200 };
}

/** The same list if there are none. */
function withoutRevisions(entries: readonly Entry[], { found }: Sorted): readonly Entry[] {
  const left = entries.filter((_, at) => {
    const field = found[at] ?? null;
    return field === null || field === 'row' || !field.isRevision;
  });
  return left.length === entries.length ? entries : left;
}

/** Characters of a header that an error message quotes. */
const MAX_QUOTE_LENGTH = 100;

/**
 * Every submitted field, declared or not. Throws a 415 when the body is not a form, and a 413 when it is over the
 * limit of the form.
 */
export async function readEntries(context: Context): Promise<readonly Entry[]> {
  const { request } = context;
  const form = formOfRequest(context);
  const receive = form?.definition?.receive ?? null;
  const type = request.headers['content-type'];
  // What stands in for a form may have files, and the form itself none.
  if (receive !== null && !(form?.varies && isFormType(type)))
    return (await receiveWhole(receive, context)).entries;
  if (!isFormType(type)) throw notA('application/x-www-form-urlencoded in UTF-8', type);
  requireUncompressed(request);
  return parseUrlencoded(await readBody(request, formLimitOf(context)), maxEntriesOf(context));
}

/**
 * The entries of a form with files that was sent without their encoding. Throws a 415 for the name of a file without
 * the file: the `<form>` lacks the encoding.
 */
export function withoutFiles(
  definition: SomeForm,
  entries: readonly Entry[],
  request: Pick<Request, 'headers'>,
): readonly Entry[] {
  return entries.filter(({ name, text }) => {
    const field = findField(definition, name);
    if (field === null || typeof field === 'string' || !isFile(field)) return true;
    if (text !== '') throw notMultipart(request);
    return false;
  });
}

/** The error for a form with files that was sent in another way. */
export function notMultipart({ headers }: Pick<Request, 'headers'>): HttpError {
  const expected = 'multipart/form-data, with enctype="multipart/form-data" on its <form>';
  return notA(expected, headers['content-type']);
}

/** The error for a body of another type. */
export function notA(expected: string, type: string | undefined): HttpError {
  const shown = type?.slice(0, MAX_QUOTE_LENGTH) ?? null;
  return new HttpError(415, ({ words }) => words.wrongType(expected, shown));
}

/** Throws a 415 for a body with a content coding. */
export function requireUncompressed({ headers }: Request): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined) {
    // RFC 9110 section 15.5.16: Accept-Encoding in a 415 lists the accepted content codings.
    const shown = coding.slice(0, MAX_QUOTE_LENGTH);
    throw new HttpError(415, ({ words }) => words.compressed(shown), {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
}

/** The form filled with the first submitted text of each declared field, except passwords. */
export function fillSent<F extends Fields>(
  definition: Form<F, unknown>,
  entries: readonly Entry[],
  language: Language,
): FilledForm<F> {
  return fill(definition, entries, sortEntries(definition, entries), language);
}

/** Whether the text has the format of an idempotency key: one of a page, or any that a program may send. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && /^[!-~]{1,255}$/.test(text);
}

/** Without a key that can be stored, the form would be carried out each time it is sent. */
function unusableKey(): HttpError {
  return new HttpError(400, ({ words }) => words.keyUnusable);
}

function fill<F extends Fields>(
  definition: Form<F, unknown>,
  entries: readonly Entry[],
  { sent, found }: Sorted,
  language: Language,
): FilledForm<F> {
  const text = textsOf(definition, sent) as FormText<F>;
  const key = sent.get('_once').text;
  const once = isKey(key) ? keyOfText(key, sent) : null;
  const savedAt = sent.get(SAVED).text;
  return { ...WITH_PARTS, definition, text, language, once, sent: toSent(entries, found), savedAt };
}

function toSent(entries: readonly Entry[], found: Sorted['found']): readonly SentField[] {
  const sent: SentField[] = [];
  for (let at = 0; at < entries.length; at++) {
    const { name, text, file } = entries[at] as Entry;
    const field = found[at] ?? null;
    if (field === null && (!isFieldPath(name) || isSecretName(name))) continue;
    if (field !== null && field !== 'row' && field.isSecret) sent.push({ name, text: '' });
    else if (file === undefined) sent.push({ name, text: toLines(text) });
    else sent.push({ name, text: toLines(text), sha256: file.sha256 });
  }
  return sent;
}
