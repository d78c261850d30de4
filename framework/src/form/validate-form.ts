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
  isSecret,
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
import type { Language } from '../language/language.ts';
import { cutText } from './cut-text.ts';
import type { Form, Validation } from './define-form.ts';
import type { AnySet, Fields, Part, Rows } from './field-set.ts';
import type { TextTree } from './fill-text.ts';
import { type Sent, sentText } from './sent-fields.ts';

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

/** Where a part stands. */
interface Place {
  /** Its path; empty for the form. */
  readonly path: string;
  /** Makes the name of the row that it stands in, for an error. */
  readonly row: (() => string) | null;
  /** Passwords that were sent, which no message may repeat. */
  readonly secrets: readonly string[];
  readonly given: Given;
}

const NO_ERRORS: readonly FoundError[] = [];

export function validateForm<F extends Fields, V>(
  definition: Form<F, V>,
  sent: Sent,
  language: Language,
): Awaitable<Validation<F, V>> {
  const secrets = definition.hasSecret ? secretsOf(definition, sent) : [];
  const place = { path: '', row: null, secrets, given: { language } };
  const reading = readFields(definition, sent, place);
  return andThen(reading, (read) => toValidation<F, V>(read, definition.hasChecks));
}

function toValidation<F extends Fields, V>(
  { value, errors, parsed }: SetRead,
  hasChecks: boolean,
): Validation<F, V> {
  const found = errors.length === 0 ? { valid: true, values: value } : { valid: false, errors };
  return (hasChecks ? { ...found, parsed } : found) as unknown as Validation<F, V>;
}

/** What was read of a set of fields. */
interface SetRead extends Read {
  /** The values of its valid fields. */
  readonly parsed: Readonly<Record<string, unknown>>;
}

function readFields(set: AnySet, sent: Sent, place: Place): Awaitable<SetRead> {
  const { fields, names } = set;
  const reads: Awaitable<Read>[] = [];
  for (const name of names)
    reads.push(readPart(fields[name] as Part, sent.get(name), within(place, name)));
  return afterAll(reads, (done) => finishSet(set, sent, done, place));
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

function finishSet(
  set: AnySet,
  sent: Sent,
  reads: readonly Read[],
  place: Place,
): Awaitable<SetRead> {
  const parsed: Record<string, unknown> = {};
  let errors = NO_ERRORS;
  for (let at = 0; at < reads.length; at++) {
    const read = reads[at] as Read;
    if (read.errors.length > 0) errors = [...errors, ...read.errors];
    // Names of fields are checked, and none is __proto__.
    else parsed[set.names[at] as string] = read.value;
  }
  if (errors.length > 0) return { value: undefined, errors: inOrder(errors), parsed };
  if (set.schema === null) return { value: parsed, errors, parsed };
  const finish = (result: SchemaResult<unknown>): SetRead => {
    if (result.issues === undefined) return { value: result.value, errors: NO_ERRORS, parsed };
    const found = inFieldOrder(
      set,
      place,
      result.issues.map((issue) => toError(set, sent, issue, place)),
    );
    const whole = { ...toOwner(place), message: place.given.language.words.formUnusable };
    return { value: undefined, errors: inOrder(found.length > 0 ? found : [whole]), parsed };
  };
  return andThen(askSchema(set.schema, parsed), finish);
}

function readPart(part: Part, sent: Sent, place: Place): Awaitable<Read> {
  switch (part.part) {
    case 'field':
      return readField(part, sent, place);
    case 'group':
      return readFields(part, sent, place);
    case 'rows':
      return readRows(part, sent, place);
    case 'choices': {
      const chosen = readField(part.choice, sent, place) as Read;
      const set = part.sets[chosen.value as string];
      if (chosen.errors.length > 0 || set === undefined)
        return chosen.value === '' ? { value: null, errors: NO_ERRORS } : chosen;
      const choice = chosen.value as string;
      const reading = readFields(set, sent.get(choice), within(place, choice));
      const join = ({ value, errors }: Read): Read => ({
        value: { choice, ...(value as object) },
        errors,
      });
      return andThen(reading, join);
    }
  }
}

function readField(field: AnyField, sent: Sent, place: Place): Awaitable<Read> {
  return andThen(parseField(field, sent, place.given), (parsed) => toRead(field, parsed, place));
}

function toRead(field: AnyField, parsed: Parsed<unknown>, place: Place): Read {
  if (parsed.ok) return { value: parsed.value, errors: NO_ERRORS };
  const shown = isTyped(field) ? place.path : null;
  const message = place.given.language.translate(parsed.message);
  return {
    value: undefined,
    errors: [{ ...toOwner(place), field: shown, message }],
  };
}

function parseField(field: AnyField, sent: Sent, given: Given): Awaitable<Parsed<unknown>> {
  const flaw = flawOf(field, sent);
  if (flaw !== null) {
    const { words, translate } = given.language;
    // The page that shows a hidden field or a button again has a valid value in it.
    return problem(
      isTyped(field) ? words[FLAWS[flaw]](translate(field.label)) : words.formUnreadable,
    );
  }
  const file = sent.entries[0]?.file;
  return field.parse(sentText(field, sent), file === undefined ? given : { ...given, file });
}

function flawOf(field: AnyField, sent: Sent): 'repeated' | Entry['flaw'] {
  const { entries, parts } = sent;
  const isList = Array.isArray(field.default);
  if (entries.length > 1 && !isList) return 'repeated';
  for (const { flaw } of entries) if (flaw !== null) return flaw;
  if (parts === null) return null;
  for (const one of parts.values()) {
    if (one.entries.length > 1) return 'repeated';
    const flaw = one.entries[0]?.flaw ?? null;
    if (flaw !== null) return flaw;
  }
  return null;
}

/** After so many errors, no further row is read: nobody reads a longer list, and the next time has the others. */
const MAX_ERRORS = 100;

/** Characters of the text of a row that names it, in each of its labels. */
const MAX_TITLE_LENGTH = 100;

/** Only the first `max` rows, as the form is refused if it has more. */
function readRows(part: Rows<Fields, unknown>, sent: Sent, place: Place): Awaitable<Read> {
  const { min, max } = part;
  const { language } = place.given;
  const { words, translate } = language;
  const count = sent.rows.length;
  const reads: Awaitable<Read>[] = [];
  let found = 0;
  for (const [at, row] of sent.rows.slice(0, max).entries()) {
    if (found >= MAX_ERRORS) break;
    const inside = { ...within(place, `${at}`), row: () => sentRowName(part, at, row, language) };
    const read = readFields(part, row, inside);
    if (!(read instanceof Promise)) found += read.errors.length;
    reads.push(read);
  }
  const finish = (done: readonly Read[]): Read => {
    const wrong =
      count > max
        ? words.tooManyEntries(translate(part.label), max)
        : count < min
          ? words.tooFewRows(translate(part.label), min)
          : null;
    const errors = done.flatMap((row) => row.errors);
    const all = wrong === null ? errors : [{ ...toOwner(place), message: wrong }, ...errors];
    return { value: done.map(({ value }) => value), errors: all };
  };
  return afterAll(reads, finish);
}

/** The name of a row for people: its title, or its number, counted from 1. */
export function rowName(
  { name }: Pick<Rows<Fields, unknown>, 'name'>,
  at: number,
  title: string,
  { translate, formatNumber }: Language,
): string {
  return title === '' ? `${translate(name)} ${formatNumber(at + 1)}` : title;
}

/** The title of a row; empty without one. */
export function rowTitle({ title }: Rows<Fields, unknown>, texts: TextTree): string {
  return title === null ? '' : cutText(texts[title] as string, MAX_TITLE_LENGTH);
}

function sentRowName(
  rows: Rows<Fields, unknown>,
  at: number,
  sent: Sent | undefined,
  language: Language,
): string {
  const text = rows.title === null ? '' : (sent?.get(rows.title).text ?? '');
  const title = cutText(text, MAX_TITLE_LENGTH);
  return rowName(rows, at, title, language);
}

// Written out, because a rest and a spread are the dearest part of a small field.
function within({ path, row, secrets, given }: Place, name: string): Place {
  return { path: path === '' ? name : `${path}.${name}`, row, secrets, given };
}

/** The place of an error of a whole part; the path of the form itself is null. */
function toOwner({ path, row }: Place): Omit<FoundError, 'message'> {
  const field = path === '' ? null : path;
  return row === null ? { field } : { field, row: row() };
}

function toError(set: AnySet, sent: Sent, issue: SchemaIssue, place: Place): FoundError {
  const { field, row, label } = findPart(set, sent, issue, place);
  const { message } = issue;
  const isSafe = !place.secrets.some((secret) => isTelling(message, secret));
  const { words, translate } = place.given.language;
  const hidden = label === null ? words.formUnusable : words.unusable(translate(label));
  const told = isSafe ? translate(message) : hidden;
  return row === null ? { field, message: told } : { field, message: told, row };
}

/** The part that the path of an issue leads to, as far as the form knows it. */
function findPart(set: AnySet, whole: Sent, { path = [] }: SchemaIssue, place: Place) {
  let here: Place = place;
  let sent: Sent | undefined = whole;
  let fields: Fields | null = set.fields;
  let rows: Rows<Fields, unknown> | null = null;
  let field = place.path === '' ? null : place.path;
  let label: string | null = null;
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step;
    if (rows !== null) {
      if (typeof key !== 'number') break;
      sent = sent?.rows[key];
      const [list, own] = [rows, sent];
      const row = () => sentRowName(list, key, own, place.given.language);
      here = { ...within(here, `${key}`), row };
      fields = rows.fields;
      rows = null;
      field = here.path;
      continue;
    }
    const part: Part | undefined =
      fields !== null && typeof key === 'string' && Object.hasOwn(fields, key)
        ? fields[key]
        : undefined;
    if (part === undefined) break;
    here = within(here, key as string);
    sent = sent?.get(key as string);
    const isShown = part.part !== 'field' || isTyped(part);
    field = isShown ? here.path : null;
    label = isShown && part.part !== 'choices' ? (part as { readonly label: string }).label : label;
    rows = part.part === 'rows' ? part : null;
    fields = part.part === 'group' ? part.fields : null;
    if (part.part === 'field' || part.part === 'choices') break;
  }
  return { field, row: here.row?.() ?? null, label };
}

function inFieldOrder(
  { names }: AnySet,
  { path }: Place,
  errors: readonly FoundError[],
): readonly FoundError[] {
  const start = path === '' ? 0 : path.length + 1;
  const rank = ({ field }: FoundError) =>
    names.indexOf(field?.slice(start).replace(/\..*/, '') ?? '');
  return errors.toSorted((one, other) => rank(one) - rank(other));
}

function secretsOf(set: AnySet, sent: Sent): readonly string[] {
  return set.names.flatMap((name) => {
    const part = set.fields[name] as Part;
    const own = sent.get(name);
    if (part.part === 'field') return isSecret(part) ? [own.text] : [];
    if (part.part === 'group') return secretsOf(part, own);
    if (part.part === 'rows') return own.rows.flatMap((row) => secretsOf(part, row));
    return Object.entries(part.sets).flatMap(([value, one]) => secretsOf(one, own.get(value)));
  });
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
