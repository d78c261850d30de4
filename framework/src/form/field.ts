/**
 * A field of a form: its words, its control, and the parser that makes a value of what was typed.
 * Everything is data but the parser, so that a page, a test and a database's own checks can go by it.
 *
 * The hard case is text that costs time by the square of its length: see `normalizeText`.
 */
import type { Awaitable } from '../http/awaitable.ts';

/** What a field makes of the text that was typed. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface Field<T> {
  readonly label: string;
  /** Help that is always visible, or null. */
  readonly hint: string | null;
  readonly control: 'text' | 'multiline' | 'password' | 'checkbox' | 'choice' | 'hidden';
  /** Whether an empty field is an error; one that is not required is marked "optional". */
  readonly required: boolean;
  /** The text of a form that nobody has touched. */
  readonly initial: string;
  /** HTML attributes of the control, such as `autocomplete` or `inputmode`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The bounds that the parser keeps, as data. */
  readonly limits: Limits;
  /** What there is to choose from; empty for every other control. */
  readonly choices: readonly Choice[];
  readonly parse: (text: string) => Awaitable<Parsed<T>>;
}

/** Inclusive bounds of a value that was given; lengths in characters (Unicode code points). */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly maxEntries?: number;
  readonly maxEntryLength?: number;
}

export interface Choice<Value extends string = string> {
  /** What is sent and stored. */
  readonly value: Value;
  /** What people read. */
  readonly label: string;
}

export interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The types of an `<input>` that is typed into, and whose text may stand on the page again. */
const TEXT_TYPES =
  /^(text|search|email|url|tel|number|date|time|datetime-local|month|week|color|range)$/;

/** What every kind of field has, with the defaults; throws for attributes that no control can have. */
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
        `Cannot give the field ${label} the type ${JSON.stringify(value)}: take a kind of text, such as email or date, or another kind of field, such as passwordField.`,
      );
    }
  }
  return { label, hint, initial, attributes, required, limits, choices: [] };
}

/** More marks on one letter than any language has: the bound of Unicode's stream-safe text (UAX 15). */
const HEAP_OF_MARKS = /\p{M}{31}/u;

/**
 * Trimmed, NFC, line ends as LF. Text that comes from outside is normalized here and nowhere else:
 * more than 30 marks on one letter are left as they are.
 */
export function normalizeText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim();
  // NFC sorts the marks of one letter in quadratic time: a form of them would stop the service for
  // minutes.
  return HEAP_OF_MARKS.test(text) ? text : text.normalize('NFC');
}

export function ok<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function problem(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
