/**
 * Fields that are known only at run time, such as those that an administrator defines. They may change while a page is
 * open, so each page lists those that it shows, with their labels: what was typed into one that is gone since is not
 * ignored. The form is refused once, with an error that has the text.
 */
import { isButton } from '../field/button-field.ts';
import { type Html, html } from '../http/html.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import { defineForm, type Form, type FormError } from './define-form.ts';
import type { Fields, FormValues } from './field-set.ts';
import { toLines } from './sent.ts';
import { isFieldPath } from './sent-fields.ts';

/** The name of the hidden field with the list. */
export const FIELDS_SHOWN = '_fields';

/**
 * The form with more fields, before its buttons. Its own keep their exact types, and the others have that of the
 * record: `Record<`own_${number}`, Field<string>>`. Make it once for each version of these fields, in the function that
 * makes the form of a request. Throws a `TypeError` for a name that the form has, and for a form with a schema, which
 * would not know the fields.
 */
export function withFields<F extends Fields, V, More extends Fields>(
  form: Form<F, V>,
  more: More,
): Form<F & More, V & FormValues<More>> {
  if (form.schema !== null) {
    throw new TypeError(
      'Cannot add fields to a form with a schema, which does not know them. Check their values in check instead.',
    );
  }
  const double = Object.keys(more).find((name) => Object.hasOwn(form.fields, name));
  if (double !== undefined) {
    throw new TypeError(
      `Cannot add the field ${JSON.stringify(double)} to a form that has one of that name. Give the added fields a prefix, such as own_.`,
    );
  }
  const own = Object.entries(form.fields);
  const typed = own.filter(([, field]) => !isButton(field));
  const buttons = own.filter(([, field]) => isButton(field));
  const all = defineForm(Object.fromEntries([...typed, ...Object.entries(more), ...buttons]));
  return { ...all, added: Object.keys(more) } as unknown as Form<F & More, V & FormValues<More>>;
}

/** The hidden list of the fields that a page shows; null for a form that has none of these. */
export function fieldsShown(definition: Pick<Form<Fields>, 'added' | 'fields'>): Html | null {
  if (definition.added.length === 0) return null;
  return html`<input type="hidden" name="${FIELDS_SHOWN}" value="${listFields(definition)}">`;
}

/** The same as text. */
export function listFields({ added, fields }: Pick<Form<Fields>, 'added' | 'fields'>): string {
  const list = added.map((name) => [name, (fields[name] as { readonly label: string }).label]);
  return JSON.stringify(list);
}

/** More fields than any form has. */
const MAX_SHOWN = 1_000;

/** The labels of the fields that the page has shown, by their names; null if it has no list. Anybody can write one. */
export function readShown(
  entries: readonly Pick<Entry, 'name' | 'text'>[],
): ReadonlyMap<string, string> | null {
  const text = entries.find(({ name }) => name === FIELDS_SHOWN)?.text ?? '';
  if (text === '') return null;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || list.length > MAX_SHOWN) return null;
    const pairs = list.filter(
      (one): one is [string, string] =>
        Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string',
    );
    return new Map(pairs.filter(([name]) => isFieldPath(name)));
  } catch {
    return null;
  }
}

/** What has changed since the page was made. */
export interface ChangedFields {
  /** An error for each field that is gone and has a text, which the error has. */
  readonly gone: readonly FormError<Fields>[];
  /** The names of the fields that the page did not have. */
  readonly added: readonly string[];
}

const NONE: ChangedFields = { gone: [], added: [] };

/** Nothing without a list: a program may send a form without the fields that it does not know. */
export function findChangedFields(
  { fields, added }: Pick<Form<Fields>, 'fields' | 'added'>,
  entries: readonly Pick<Entry, 'name' | 'text'>[],
  { words }: Language,
): ChangedFields {
  const shown = readShown(entries);
  if (shown === null) return NONE;
  const gone = [...shown].flatMap(([name, label]) => {
    if (Object.hasOwn(fields, name)) return [];
    const isOfField = (sent: string) => sent === name || sent.startsWith(`${name}.`);
    const texts = entries.flatMap((one) =>
      isOfField(one.name) && one.text !== '' ? one.text : [],
    );
    if (texts.length === 0) return [];
    return { field: null, message: words.fieldGone(label, texts.map(toLines).join(', ')) };
  });
  return { gone, added: added.filter((name) => !shown.has(name)) };
}

/** The errors of a form that is refused, with what has changed: a new field says that it is new. */
export function tellChanged(
  errors: readonly FormError<Fields>[],
  { gone, added }: ChangedFields,
  { fields }: Pick<Form<Fields>, 'fields'>,
  { words, translate }: Language,
): readonly FormError<Fields>[] {
  const all = errors.map((error) =>
    error.field !== null && added.includes(error.field)
      ? { ...error, message: `${tell(error.field)}. ${error.message}` }
      : error,
  );
  const silent = added.filter((name) => !errors.some(({ field }) => field === name));
  const told = gone.length === 0 ? [] : silent.map((field) => ({ field, message: tell(field) }));
  return [...gone, ...all, ...told];

  function tell(name: string): string {
    return words.fieldNew(translate((fields[name] as { readonly label: string }).label));
  }
}
