/**
 * The part of Standard Schema (https://standardschema.dev, version 1) that forms use: what any
 * validator that follows it has under `~standard`. Written from the specification, so that none of
 * them is a dependency.
 */
import type { Awaitable } from '../http/awaitable.ts';

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the validator. */
    readonly vendor: string;
    readonly validate: (value: unknown) => Awaitable<SchemaResult<Output>>;
    /** For the compiler alone: nothing has it when the program runs. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Issues, even an empty list of them, mean that the value is refused. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  /** Where in the value; a step may be wrapped in an object. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Asks the schema. What it throws is a bug in it, and is let through. */
export function askSchema<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Awaitable<SchemaResult<Output>> {
  return schema['~standard'].validate(value);
}

/** The first step of the path, or null for an issue with the value as a whole. */
export function firstStep({ path }: SchemaIssue): PropertyKey | null {
  const step = path?.[0];
  return typeof step === 'object' ? step.key : (step ?? null);
}

/** Whether a message gives away a secret that was typed, as it is or quoted, in any case. */
export function isTelling(message: string, secret: string): boolean {
  if (secret === '') return false;
  const told = message.toLowerCase();
  return [secret, secret.trim(), JSON.stringify(secret).slice(1, -1)].some(
    (form) => form !== '' && told.includes(form.toLowerCase()),
  );
}
