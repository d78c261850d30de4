/**
 * Validates a submitted form: each field, then each group and row by its schema, then the whole form by its own. It
 * gives at most one message per field, and no message that repeats a password.
 *
 * An error of a hidden field or a button becomes one of the whole form, because the summary cannot
 * link to it.
 */

import {
  type AnyField,
  type Given,
  isFile,
  isTyped,
  type Parsed,
  problem,
} from '../field/field.ts';
import {
  askSchema,
  isTelling,
  type SchemaIssue,
  type SchemaResult,
} from '../field/standard-schema.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { Entry } from '../http/urlencoded.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { type BoundPart, bindForm } from './bound-part.ts';
import type { FilledForm, Form, FormError, FormValues, Validation } from './define-form.ts';
import type { AnySet, Fields, Rows } from './field-set.ts';
import { isPasteName } from './paste-fields.ts';
import type { SentTree } from './sent.ts';
import { bindSent, sentText, toEntries } from './sent-fields.ts';

/** The names of their texts. */
const FLAWS = { encoding: 'unreadable', nul: 'hasNul', repeated: 'sentTwice' } as const;

interface FoundError {
  readonly field: string | null;
  readonly message: string;
  readonly row?: string;
}

/** The value of a part, or why there is none. */
interface Read {
  readonly value: unknown;
  readonly errors: readonly FoundError[];
}

/** What all parts are checked with. */
interface Check {
  readonly given: Given;
  /** Passwords that were sent, which no message may repeat. */
  readonly secrets: readonly string[];
}

const NO_ERRORS: readonly FoundError[] = [];

/** `whole` is the form, bound to what was sent. */
export function validateForm<F extends Fields, V>(
  definition: Form<F, V>,
  whole: BoundPart,
  language: Language,
): Awaitable<Validation<F, V>> {
  const secrets = definition.hasSecret ? secretsOf(whole) : [];
  const reading = readSet(whole, { given: { language }, secrets });
  return andThen(reading, ({ value, errors, parsed }) => {
    const found = errors.length === 0 ? { valid: true, values: value } : { valid: false, errors };
    return { ...found, parsed } as unknown as Validation<F, V>;
  });
}

/**
 * The values of the valid fields of a form as it stands on its page, such as for a total. A file is not one of them.
 */
export async function valuesOf<F extends Fields>(
  form: FilledForm<F>,
): Promise<Partial<FormValues<F>>> {
  const { definition, language = english } = form;
  const entries = toEntries(bindForm(form)).map(([name, text]) => ({ name, text, flaw: null }));
  const whole = bindSent(definition, entries, language);
  const { parsed } = await validateForm(definition, whole, language);
  return (parsed ?? {}) as Partial<FormValues<F>>;
}

function secretsOf(whole: BoundPart): readonly string[] {
  return whole
    .all()
    .filter(({ part }) => part.part === 'field' && part.isSecret)
    .map(({ sent }) => (sent as SentTree).text);
}

function readPart(one: BoundPart, check: Check): Awaitable<Read> {
  switch (one.part.part) {
    case 'field':
      return readField(one, check);
    case 'rows':
      return readRows(one, check);
    case 'choices':
      return readChoice(one, check);
    default:
      return readSet(one, check);
  }
}

/** Creates no promise if all parts were read at once. */
function afterAll<Done extends Read>(
  reads: readonly Awaitable<Read>[],
  finish: (done: readonly Read[]) => Awaitable<Done>,
): Awaitable<Done> {
  return reads.some((read) => read instanceof Promise)
    ? Promise.all(reads).then(finish)
    : finish(reads as readonly Read[]);
}

/** What was read of a set of fields. */
interface SetRead extends Read {
  /** The values of its valid fields. */
  readonly parsed: Readonly<Record<string, unknown>>;
}

function readSet(one: BoundPart, check: Check): Awaitable<SetRead> {
  const reads = one.parts.map((part) => readPart(part, check));
  return afterAll(reads, (done) => finishSet(one, done, check));
}

function finishSet(one: BoundPart, reads: readonly Read[], check: Check): Awaitable<SetRead> {
  const { names, schema } = one.part as AnySet;
  const parsed: Record<string, unknown> = {};
  let errors = NO_ERRORS;
  for (let at = 0; at < reads.length; at++) {
    const read = reads[at] as Read;
    if (read.errors.length > 0) errors = [...errors, ...read.errors];
    // Names of fields are checked, and none is __proto__.
    else if (!isPasteName(names[at] as string)) parsed[names[at] as string] = read.value;
  }
  if (errors.length > 0) return { value: undefined, errors: inOrder(errors), parsed };
  if (schema === null) return { value: parsed, errors, parsed };
  const finish = (result: SchemaResult<unknown>): SetRead => {
    if (result.issues === undefined) return { value: result.value, errors: NO_ERRORS, parsed };
    const found = inFieldOrder(
      one,
      result.issues.map((issue) => readIssue(one, issue, check)),
    );
    const whole = toError(one, check.given.language.words.formUnusable);
    return { value: undefined, errors: inOrder(found.length > 0 ? found : [whole]), parsed };
  };
  return andThen(askSchema(schema, parsed), finish);
}

function readChoice(one: BoundPart, check: Check): Awaitable<Read> {
  const chosen = readField(one.choice, check) as Read;
  const choice = chosen.value as string;
  const within = chosen.errors.length > 0 ? null : one.at(choice);
  if (within === null) return choice === '' ? { value: null, errors: NO_ERRORS } : chosen;
  return andThen(readSet(within, check), ({ value, errors }) => ({
    value: { choice, ...(value as object) },
    errors,
  }));
}

/** After so many errors, no further row is read: nobody reads a longer list, and the next time has the others. */
const MAX_ERRORS = 100;

/** Only the first `max` rows, as the form is refused if it has more. */
function readRows(one: BoundPart, check: Check): Awaitable<Read> {
  const { min, max } = one.part as Rows<Fields, unknown>;
  const { words } = check.given.language;
  const rows = one.parts;
  const count = rows.length;
  const reads: Awaitable<Read>[] = [];
  let found = 0;
  for (const row of rows.slice(0, max)) {
    if (found >= MAX_ERRORS) break;
    const read = readSet(row, check);
    if (!(read instanceof Promise)) found += read.errors.length;
    reads.push(read);
  }
  return afterAll(reads, (done): Read => {
    const wrong =
      count > max
        ? words.tooManyEntries(one.label, max)
        : count < min
          ? words.tooFewRows(one.label, min)
          : null;
    const errors = done.flatMap((row) => row.errors);
    const all = wrong === null ? errors : [toError(one, wrong), ...errors];
    return { value: done.map(({ value }) => value), errors: all };
  });
}

function readField(one: BoundPart, check: Check): Awaitable<Read> {
  return andThen(parseField(one, check.given), (parsed) => toRead(one, parsed, check));
}

function toRead(one: BoundPart, parsed: Parsed<unknown>, { given }: Check): Read {
  if (parsed.ok) return { value: parsed.value, errors: NO_ERRORS };
  const message = given.language.translate(parsed.message);
  return { value: undefined, errors: [toError(one, message)] };
}

function parseField(one: BoundPart, given: Given): Awaitable<Parsed<unknown>> {
  const field = one.part as AnyField;
  const sent = one.sent as SentTree;
  const flaw = flawOf(field, sent);
  if (flaw !== null) {
    const { words } = given.language;
    // The page that shows a hidden field or a button again has a valid value in it.
    return problem(isTyped(field) ? words[FLAWS[flaw]](one.label) : words.formUnreadable);
  }
  const text = sentText(field, sent);
  if (!isFile(field)) return field.parse(text, given);
  const files = sent.entries.map(({ file }) => file);
  return field.parse(text, { ...given, file: files[0], files });
}

function flawOf(field: AnyField, sent: SentTree): 'repeated' | Entry['flaw'] {
  const { entries, parts } = sent;
  const isList = Array.isArray(field.default);
  if (entries.length > 1 && !isList) return 'repeated';
  for (let at = 0; at < entries.length; at++) {
    const { flaw } = entries[at] as Entry;
    if (flaw !== null) return flaw;
  }
  if (parts === null) return null;
  for (const one of parts.values()) {
    if (one.entries.length > 1) return 'repeated';
    const flaw = one.entries[0]?.flaw ?? null;
    if (flaw !== null) return flaw;
  }
  return null;
}

/** An error of the whole form, if the page does not show the part. */
function toError({ part, path, row }: BoundPart, message: string): FoundError {
  const isShown = path !== '' && (part.part !== 'field' || isTyped(part));
  const field = isShown ? path : null;
  return row === null ? { field, message } : { field, message, row: row.label };
}

function readIssue(set: BoundPart, { message, path = [] }: SchemaIssue, check: Check): FoundError {
  const found = follow(set, path);
  const { words, translate } = check.given.language;
  if (!check.secrets.some((secret) => isTelling(message, secret)))
    return toError(found, translate(message));
  const { part, owner } = found;
  const label = found === set ? '' : part.part === 'row' ? owner?.label : found.label;
  return toError(found, label ? words.unusable(label) : words.formUnusable);
}

/** The part that the path of an issue leads to, as far as the form knows it. */
function follow(set: BoundPart, path: NonNullable<SchemaIssue['path']>): BoundPart {
  let found = set;
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step;
    const isName = typeof key !== 'symbol' && found.part.part !== 'choices';
    const next = isName ? found.at(key) : null;
    if (next === null) break;
    found = next;
  }
  return found;
}

function inFieldOrder(
  { part, path }: BoundPart,
  errors: readonly FoundError[],
): readonly FoundError[] {
  const { names } = part as AnySet;
  const start = path === '' ? 0 : path.length + 1;
  const rank = ({ field }: FoundError) =>
    names.indexOf(field?.slice(start).replace(/\..*/, '') ?? '');
  return errors.toSorted((one, other) => rank(one) - rank(other));
}

/** The first error of each field, in the order of the fields; then those of the whole form. */
function inOrder(errors: readonly FoundError[]): readonly FoundError[] {
  const ofFields = new Map<string, FoundError>();
  const ofForm = new Map<string, FoundError>();
  for (const error of errors) {
    const [known, key] = error.field === null ? [ofForm, error.message] : [ofFields, error.field];
    if (!known.has(key)) known.set(key, error);
  }
  return [...ofFields.values(), ...ofForm.values()];
}

/** In the order of the fields, and the first one of each; then those of the whole form. */
export function mergeErrors<F extends Fields>(
  names: readonly string[],
  errors: readonly FormError<F>[],
  found: readonly FormError<F>[],
): readonly FormError<F>[] {
  const added = found.filter(
    ({ field }) => field === null || !errors.some((one) => one.field === field),
  );
  const rank = ({ field }: FormError<F>) =>
    field === null ? names.length : names.indexOf(field.replace(/\..*/, ''));
  return [...errors, ...added].toSorted((one, other) => rank(one) - rank(other));
}
