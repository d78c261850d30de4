/**
 * The definition of a form: its fields by name, each with its words and its parser. Everything
 * about the form (reading, validating, rendering, refilling) goes by this one value.
 */
import { randomBytes } from 'node:crypto';
import type { Field } from './field.ts';
import type { StandardSchema } from './standard-schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: fields of different types stand in one record; each is inferred back by name.
export type Fields = Readonly<Record<string, Field<any>>>;

/** `V` are the values of a valid form: those of its fields, or what its schema makes of them. */
export interface Form<F extends Fields, V = FormValues<F>> {
  readonly fields: F;
  /** In the order of the definition. */
  readonly names: readonly (keyof F & string)[];
  /** Asked about the values of the fields, once every one of them is right. */
  readonly schema: StandardSchema<unknown, V> | null;
}

/** The parsed value of each field. */
export type FormValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** A form as it stands on a page: what is typed in each field, passwords excepted. */
export interface FilledForm<F extends Fields> {
  readonly definition: Form<F, unknown>;
  readonly text: { readonly [Name in keyof F]: string };
  /** The key that makes a form count once, however often it is sent; null when it came without. */
  readonly once: string | null;
}

export interface FormError<F extends Fields> {
  /** Null for an error of the form as a whole, or of a field that nobody sees. */
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
  /** At most one for each field, in their order; then those of the form as a whole. */
  readonly errors: readonly FormError<F>[];
}

/** What is wrong with a form; nothing for one that is valid, or that was not sent yet. */
export function errorsOf<F extends Fields>(
  validation: Validation<F, unknown> | undefined,
): readonly FormError<F>[] {
  return validation?.valid === false ? validation.errors : [];
}

const FIELD_NAME = /^[a-z][a-z0-9]*$/;

/** What the schema of a form names and the form has not, or has with another type. */
type Misfits<F extends Fields, Input> = string extends keyof Input
  ? never
  : {
      [Name in keyof Input]-?: Name extends keyof F
        ? [FormValues<F>[Name] & Input[Name]] extends [never]
          ? Name
          : never
        : Name;
    }[keyof Input];

/** Stands in the place of a schema that is not one of this form; what does not fit is in its type. */
export interface NotOfThisForm<Names> {
  readonly 'the form has no such values': Names;
}

export interface FormOptions<F extends Fields, Input, V> {
  readonly schema?: [Misfits<F, Input>] extends [never]
    ? StandardSchema<Input, V>
    : NotOfThisForm<Misfits<F, Input>>;
}

/**
 * The schema sees the values of all fields, and its output becomes the values of the form. Throws
 * when a name is not flat and lower case; names that start with `_` are the framework's own.
 */
export function defineForm<const F extends Fields, Input = FormValues<F>, V = FormValues<F>>(
  fields: F,
  options: FormOptions<F, Input, V> = {},
): Form<F, V> {
  const names = Object.keys(fields);
  for (const name of names) {
    if (!FIELD_NAME.test(name)) {
      throw new TypeError(
        `Cannot define a form with the field ${JSON.stringify(name)}: name fields in lower-case letters and digits, starting with a letter.`,
      );
    }
  }
  const { schema = null } = options;
  return { fields, names, schema: schema as StandardSchema<Input, V> | null };
}

/** The form that nobody has touched yet, with a new key of its own; `text` fills fields in advance. */
export function blankForm<F extends Fields>(
  definition: Form<F, unknown>,
  text: { readonly [Name in keyof F]?: string } = {},
): FilledForm<F> {
  const given = new Map<string, string | undefined>(Object.entries(text));
  const typed = fillText(
    definition,
    (name) => given.get(name) ?? definition.fields[name]?.initial ?? '',
  );
  return { definition, text: typed, once: newKey() };
}

/** A key that no other form has: 128 random bits. */
export function newKey(): string {
  return randomBytes(16).toString('base64url');
}

/** A text for each field of the form. */
export function fillText<F extends Fields>(
  definition: Form<F, unknown>,
  textOf: (name: keyof F & string) => string,
): FilledForm<F>['text'] {
  const entries = definition.names.map((name) => [name, textOf(name)] as const);
  return Object.fromEntries(entries) as FilledForm<F>['text'];
}
