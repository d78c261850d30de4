/**
 * A field of a form: its label, its control, and the parser of its text. All but the parser is
 * data, so pages, tests and the constraints of a database can read it.
 *
 * Unicode normalization can take quadratic time: see `normalizeText`.
 */
import type { Awaitable } from '../http/awaitable.ts';

/** The value of a text, or the error message. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface Field<T> {
  readonly label: string;
  /** Help that is always visible, or null. */
  readonly hint: string | null;
  readonly control: 'text' | 'multiline' | 'password' | 'checkbox' | 'choice' | 'hidden';
  /** Whether an empty field is an error. Fields that are not required are marked "optional". */
  readonly required: boolean;
  /** The text of the field in an empty form. */
  readonly initial: string;
  /** HTML attributes of the control, such as `autocomplete` or `inputmode`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The limits that the parser checks, as data. */
  readonly limits: Limits;
  /** Empty for every control but `choice`. */
  readonly choices: readonly Choice[];
  readonly parse: (text: string) => Awaitable<Parsed<T>>;
}

/** Inclusive limits of a value that is not empty; lengths in characters (Unicode code points). */
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

export interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * The types of an `<input>` whose text may be shown on the page again: not passwords, for example.
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
 * More marks on one letter than any language uses: the limit of the Stream-Safe Text Format (UAX
 * 15).
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
