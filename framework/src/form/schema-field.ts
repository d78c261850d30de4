/**
 * A field whose value and messages come from a Standard Schema: zod, valibot, or one that is
 * written by hand. The schema gets the text as `textField` reads it, a password to the letter.
 *
 * An empty field is `required`, or, without that, undefined: so optional schemas and those with a
 * default work. A message about a password that would show it is replaced.
 */
import { andThen } from '../http/awaitable.ts';
import {
  describeField,
  type Field,
  type FieldOptions,
  type Limits,
  normalizeText,
  ok,
  type Parsed,
  problem,
} from './field.ts';
import { askSchema, isTelling, type SchemaResult, type StandardSchema } from './standard-schema.ts';

/** Stands in the place of a schema that takes no text; what it takes is in its type. */
export interface TakesNoText<Input> {
  readonly 'a field gives text, and the schema takes': Input;
}

export interface SchemaOptions<Input, Output> extends FieldOptions {
  readonly schema: [string & Input] extends [never]
    ? TakesNoText<Input>
    : StandardSchema<Input, Output>;
  /** What to say when nothing was typed; without it the schema is asked about undefined. */
  readonly required?: string;
  /** `text` unless said otherwise. */
  readonly control?: 'text' | 'multiline' | 'password';
  /** The bounds that the schema keeps, for whoever wants to know; nothing is checked by them. */
  readonly limits?: Limits;
}

/** The schema may answer later; `parse` gives a promise only then. */
export function schemaField<Input, Output>(options: SchemaOptions<Input, Output>): Field<Output> {
  const { label, required, control = 'text', limits } = options;
  const schema = options.schema as StandardSchema<Input, Output>;
  const isPassword = control === 'password';
  const toParsed = (result: SchemaResult<Output>, typed: string): Parsed<Output> => {
    if (result.issues === undefined) return ok(result.value);
    const message = result.issues[0]?.message ?? refusalOf(label);
    return problem(isPassword && isTelling(message, typed) ? refusalOf(label) : message);
  };
  return {
    ...describeField(options, required !== undefined, limits),
    control,
    parse(typed) {
      const text = isPassword ? typed : normalizeText(typed);
      if (text === '' && required !== undefined) return problem(required);
      const result = askSchema(schema, text === '' ? undefined : text);
      return andThen(result, (answer) => toParsed(answer, text));
    },
  };
}

/** For a refusal without words, or with words that cannot be shown. */
export function refusalOf(label: string): string {
  return `${label} cannot be used; enter another one`;
}
