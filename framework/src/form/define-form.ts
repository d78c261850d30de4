/**
 * The definition of a form: its fields by name, each with its label and its parser. Reading,
 * validating, rendering and refilling the form all use this one value.
 */
import { randomUUID } from 'node:crypto';
import { checkOptions, describeValue, type OptionKinds } from '../http/check-options.ts';
import type { Field } from './field.ts';
import { SCHEMA, type StandardSchema } from './standard-schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: one record holds fields of different types; each type is inferred back by name.
export type Fields = Readonly<Record<string, Field<any>>>;

/**
 * `V` is the type of the values of a valid form: those of its fields, or the output of its schema.
 */
export interface Form<F extends Fields, V = FormValues<F>> {
  readonly fields: F;
  /** In the order of the definition. */
  readonly names: readonly (keyof F & string)[];
  /** Runs on the values of the fields, once each field is valid by itself. */
  readonly schema: StandardSchema<unknown, V> | null;
}

/** The parsed value of each field. */
export type FormValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** A form as a page shows it: the text of each field, except passwords. */
export interface FilledForm<F extends Fields> {
  readonly definition: Form<F, unknown>;
  readonly text: { readonly [Name in keyof F]: string };
  /** The idempotency key, see `onlyOnce`; null when the form was sent without one. */
  readonly once: string | null;
  /** What was sent, in its order, for the digest of the form: declared or not, without passwords. */
  readonly sent?: readonly SentField[];
}

/** A field as it was sent. */
export interface SentField {
  readonly name: string;
  /** Empty for a password. Of a file, its name. */
  readonly text: string;
  /** Of the content of a file, in hexadecimal. */
  readonly sha256?: string;
}

/** What is wrong with a form, for its user to read. */
export interface FormError<F extends Fields> {
  /** Null for an error of the whole form or of a hidden field. */
  readonly field: (keyof F & string) | null;
  readonly message: string;
}

export type Validation<F extends Fields, V = FormValues<F>> = ValidForm<F, V> | RefusedForm<F>;

export interface ValidForm<F extends Fields, V = FormValues<F>> {
  readonly valid: true;
  readonly values: V;
}

export interface RefusedForm<F extends Fields> {
  readonly valid: false;
  /** At most one per field, in the order of the fields; then those of the whole form. */
  readonly errors: readonly FormError<F>[];
}

/** The errors of a form; empty when it is valid or was not sent yet. */
export function errorsOf<F extends Fields>(
  validation: Validation<F, unknown> | undefined,
): readonly FormError<F>[] {
  return validation?.valid === false ? validation.errors : [];
}

/** `quantity`, `firstName`, `first_name`. A hyphen parts a name from a word of ours, as in the id `name-error`. */
const FIELD_NAME = /^[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/;

/** Whether a form can declare a field with this name. */
export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name);
}

/** The names in the input of a schema that the form lacks or has with another type. */
type Misfits<F extends Fields, Input> = string extends keyof Input
  ? never
  : {
      [Name in keyof Input]-?: Name extends keyof F
        ? [FormValues<F>[Name] & Input[Name]] extends [never]
          ? Name
          : never
        : Name;
    }[keyof Input];

/** The compiler expects this type where a schema does not fit the form, and so prints the names. */
export interface NotOfThisForm<Names> {
  readonly 'the form has no such values': Names;
}

export interface FormOptions<F extends Fields, Input, V> {
  readonly schema?: [Misfits<F, Input>] extends [never]
    ? StandardSchema<Input, V>
    : NotOfThisForm<Misfits<F, Input>>;
}

const FORM_KINDS = { schema: SCHEMA } satisfies OptionKinds<FormOptions<Fields, unknown, unknown>>;

/**
 * Defines a form once, for its page, its parsing and its messages. The schema gets the values of all
 * fields; its output becomes the values of the form. Throws a `TypeError` for a name that is not like
 * `quantity`, `firstName` or `first_name`, and for two names that differ in capitals and underscores alone.
 * Names that start with `_` are reserved for the framework.
 */
export function defineForm<const F extends Fields, Input = FormValues<F>, V = FormValues<F>>(
  fields: F,
  options: FormOptions<F, Input, V> = {},
): Form<F, V> {
  checkOptions('defineForm', options, FORM_KINDS);
  const names = Object.keys(fields);
  const known = new Map<string, string>();
  for (const name of names) {
    if (!isFieldName(name)) {
      throw new TypeError(
        `Cannot define a form with the field ${JSON.stringify(name)}: start with a lower-case letter, and go on with letters, digits and single underscores, as in firstName or first_name.`,
      );
    }
    if (typeof fields[name]?.parse !== 'function') {
      throw new TypeError(
        `Cannot define a form with the field ${JSON.stringify(name)}: its value is no field. Make one with textField or another function of the framework.`,
      );
    }
    const letters = name.replaceAll('_', '').toLowerCase();
    const other = known.get(letters);
    if (other !== undefined) {
      throw new TypeError(
        `Cannot define a form with the fields ${JSON.stringify(other)} and ${JSON.stringify(name)}: they differ in capitals and underscores alone. Rename one.`,
      );
    }
    known.set(letters, name);
  }
  const { schema = null } = options;
  return { fields, names, schema: schema as StandardSchema<Input, V> | null };
}

/** An empty form with a new idempotency key. `text` fills fields in advance; throws a TypeError for other values. */
export function blankForm<F extends Fields>(
  definition: Form<F, unknown>,
  text: { readonly [Name in keyof F]?: string } = {},
): FilledForm<F> {
  const given = new Map<string, string | undefined>(Object.entries(text));
  const typed = fillText(definition, (name) => {
    const filled: unknown = given.get(name) ?? definition.fields[name]?.initial ?? '';
    if (typeof filled === 'string') return filled;
    throw new TypeError(
      `Cannot fill the field ${JSON.stringify(name)} with ${describeValue(filled)}: pass text, such as ${name}: String(value).`,
    );
  });
  return { definition, text: typed, once: newKey() };
}

/** A new idempotency key: 122 random bits. Node makes them in advance, for many keys at once. */
export function newKey(): string {
  return randomUUID();
}

/** A text for each field of the form. */
export function fillText<F extends Fields>(
  definition: Form<F, unknown>,
  textOf: (name: keyof F & string) => string,
): FilledForm<F>['text'] {
  const entries = definition.names.map((name) => [name, textOf(name)] as const);
  return Object.fromEntries(entries) as FilledForm<F>['text'];
}
