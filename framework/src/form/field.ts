/**
 * A field of a form: its label, its control, and the parser of its text. Everything but the parser is
 * plain data, so pages, tests and database constraints can be derived from it.
 *
 * Unicode normalization can take quadratic time: see `normalizeText`.
 */
import type { Awaitable } from '../http/awaitable.ts';
import { needed, OBJECT, type OptionKind, type OptionKinds, TEXT } from '../http/check-options.ts';

/** The result of parsing: the value, or an error message for the user. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface Field<T> {
  readonly label: string;
  /** Help that is always visible, or null. */
  readonly hint: string | null;
  readonly control:
    | 'text'
    | 'multiline'
    | 'password'
    | 'checkbox'
    | 'choice'
    | 'button'
    | 'file'
    | 'hidden';
  /** Whether an empty field is an error. Fields that are not required are marked "optional". */
  readonly required: boolean;
  /** The initial text of the field, before the user has typed anything. */
  readonly initial: string;
  /** HTML attributes of the control, such as `autocomplete` or `inputmode`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The limits that the parser checks, as data. */
  readonly limits: Limits;
  /** Empty for every control but `choice` and `button`. */
  readonly choices: readonly Choice[];
  /** Whether a draft carries a hidden field through the log-in; see `hiddenField`. */
  readonly inDraft?: boolean | 'alone';
  /** For a file, the text is its name, and `file` is what `readUpload` has received. */
  readonly parse: (text: string, file?: unknown) => Awaitable<Parsed<T>>;
}

/** Whether the user types into it. A page fills a hidden field by itself, and a button has a fixed value. */
export function isTyped({ control }: Pick<Field<unknown>, 'control'>): boolean {
  return control !== 'hidden' && control !== 'button';
}

/** Inclusive limits. They do not apply to an empty value. Lengths count Unicode code points. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly maxEntries?: number;
  readonly maxEntryLength?: number;
}

export interface Choice<Value extends string = string> {
  /** The submitted and stored value. */
  readonly value: Value;
  /** The text that the page shows. */
  readonly label: string;
}

export const CHOICE_LIST: OptionKind = {
  noun: 'a list',
  example: "[{ value: 'lent', label: 'Lent out' }]",
  accepts: (value) => Array.isArray(value) && value.every(isChoice),
};

function isChoice(one: Partial<Choice> | null): boolean {
  return typeof one?.value === 'string' && typeof one.label === 'string';
}

export interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The options of every field. */
export const FIELD_KINDS: OptionKinds<FieldOptions> = {
  label: needed(TEXT, "'Name'"),
  hint: TEXT,
  initial: TEXT,
  attributes: OBJECT,
};

/**
 * The `<input>` types whose text may be sent back with the page after an error. `password` is not one.
 */
const TEXT_TYPES =
  /^(text|search|email|url|tel|number|date|time|datetime-local|month|week|color|range)$/;

/** The common part of all kinds of field. Throws a `TypeError` for an invalid attribute. */
export function describeField(
  options: FieldOptions,
  required: boolean,
  limits: Limits = {},
): Omit<Field<never>, 'control' | 'parse'> {
  const { label, hint = null, initial = '', attributes = {} } = options;
  for (const [name, value] of Object.entries(attributes)) {
    if (!/^[a-z][a-z-]*$/.test(name)) {
      throw new TypeError(
        `Cannot give the field ${label} the attribute ${JSON.stringify(name)}: write it in lower-case letters and hyphens.`,
      );
    }
    if (name === 'type' && !TEXT_TYPES.test(value)) {
      throw new TypeError(
        `Cannot give the field ${label} the type ${JSON.stringify(value)}: use a type of text, such as email or date, or another kind of field, such as passwordField.`,
      );
    }
  }
  return { label, hint, initial, attributes, required, limits, choices: [] };
}

/**
 * More combining marks in a row than the Stream-Safe Text Format (UAX 15) allows, which is more than any
 * language uses.
 */
const HEAP_OF_MARKS = /\p{M}{31}/u;

/**
 * Trims the text, converts line ends to LF and normalizes to NFC. A text with more than 30 marks on
 * one letter is not normalized to NFC. All input is normalized here and nowhere else.
 */
export function normalizeText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim();
  // NFC sorts the marks of one letter in quadratic time: one form full of marks would block the
  // event loop for minutes.
  return HEAP_OF_MARKS.test(text) ? text : text.normalize('NFC');
}

export function ok<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function problem(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
