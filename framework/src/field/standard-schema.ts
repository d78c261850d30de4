/**
 * The part of Standard Schema (https://standardschema.dev, version 1) that forms use. It is written
 * from the specification, so that no validator is a dependency.
 */
import type { Awaitable } from '../http/awaitable.ts';
import type { OptionKind } from '../http/check-options.ts';

/** A validator of any library that follows Standard Schema, such as Zod or Valibot. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the validator. */
    readonly vendor: string;
    readonly validate: (value: unknown) => Awaitable<SchemaResult<Output>>;
    /** For the compiler only; undefined at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** ArkType's schemas are functions. */
export const SCHEMA: OptionKind = {
  noun: 'a Standard Schema, as Zod and Valibot make them',
  accepts: (value) =>
    typeof (value as Partial<StandardSchema> | null)?.['~standard']?.validate === 'function',
};

/** A result with `issues` refuses the value, even if the list is empty. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  /** The path of the issue within the value; the standard allows keys wrapped in objects. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Validates the value. An exception is a bug in the schema and is not caught. */
export function askSchema<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Awaitable<SchemaResult<Output>> {
  return schema['~standard'].validate(value);
}

/** Whether a message contains the secret, plain or quoted, ignoring case. */
export function isTelling(message: string, secret: string): boolean {
  if (secret === '') return false;
  const told = message.toLowerCase();
  return [secret, secret.trim(), JSON.stringify(secret).slice(1, -1)].some(
    (form) => form !== '' && told.includes(form.toLowerCase()),
  );
}
