/**
 * The definition of a form: its fields by name, each with its words and its parser. Everything
 * about the form (reading, validating, rendering, refilling) goes by this one value.
 */
import { randomBytes } from 'node:crypto';

/** What a field makes of the text that was typed. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface Field<T> {
  readonly label: string;
  /** Help that is always visible, or null. */
  readonly hint: string | null;
  readonly control: 'text' | 'multiline' | 'password' | 'checkbox' | 'hidden';
  /** Whether an empty field is an error; one that is not required is marked "optional". */
  readonly required: boolean;
  /** The text of a form that nobody has touched. */
  readonly initial: string;
  /** HTML attributes of the control, such as `autocomplete` or `inputmode`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly parse: (text: string) => Parsed<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: fields of different types stand in one record; each is inferred back by name.
export type Fields = Readonly<Record<string, Field<any>>>;

export interface Form<F extends Fields> {
  readonly fields: F;
  /** In the order of the definition. */
  readonly names: readonly (keyof F & string)[];
}

/** The parsed value of each field. */
export type FormValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** A form as it stands on a page: what is typed in each field, passwords excepted. */
export interface FilledForm<F extends Fields> {
  readonly definition: Form<F>;
  readonly text: { readonly [Name in keyof F]: string };
  /** The key that makes a form count once, however often it is sent; null when it came without. */
  readonly once: string | null;
}

export interface FormError<F extends Fields> {
  readonly field: keyof F & string;
  readonly message: string;
}

export type Validation<F extends Fields> =
  | { readonly valid: true; readonly values: FormValues<F> }
  | { readonly valid: false; readonly errors: readonly FormError<F>[] };

/** What is wrong with a form; nothing for one that is valid, or that was not sent yet. */
export function errorsOf<F extends Fields>(
  validation: Validation<F> | undefined,
): readonly FormError<F>[] {
  return validation?.valid === false ? validation.errors : [];
}

const FIELD_NAME = /^[a-z][a-z0-9]*$/;

/** Throws when a name is not flat and lower case; names that start with `_` are the framework's own. */
export function defineForm<const F extends Fields>(fields: F): Form<F> {
  const names = Object.keys(fields);
  for (const name of names) {
    if (!FIELD_NAME.test(name)) {
      throw new TypeError(
        `Cannot define a form with the field ${JSON.stringify(name)}: name fields in lower-case letters and digits, starting with a letter.`,
      );
    }
  }
  return { fields, names };
}

/** The form that nobody has touched yet, with a new key of its own; `text` fills fields in advance. */
export function blankForm<F extends Fields>(
  definition: Form<F>,
  text: { readonly [Name in keyof F]?: string } = {},
): FilledForm<F> {
  const given = new Map<string, string | undefined>(Object.entries(text));
  const typed = fillText(
    definition,
    (name) => given.get(name) ?? definition.fields[name]?.initial ?? '',
  );
  return { definition, text: typed, once: randomBytes(16).toString('base64url') };
}

/** A text for each field of the form. */
export function fillText<F extends Fields>(
  definition: Form<F>,
  textOf: (name: keyof F & string) => string,
): FilledForm<F>['text'] {
  const entries = definition.names.map((name) => [name, textOf(name)] as const);
  return Object.fromEntries(entries) as FilledForm<F>['text'];
}
