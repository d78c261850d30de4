/**
 * A field whose value and messages come from a Standard Schema: zod, valibot, or one written by
 * hand. The schema gets the text normalized as by `textField`; a password is not normalized.
 *
 * For an empty field, `required` is the error. Without `required`, the schema gets undefined, so
 * that optional schemas and those with a default work. A message that repeats a password is
 * replaced.
 */
import { andThen } from '../http/awaitable.ts';
import { checkOptions, needed, OBJECT, type OptionKinds, oneOf } from '../http/check-options.ts';
import type { Language } from '../language/language.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Limits,
  ok,
  type Parsed,
  problem,
} from './field.ts';
import { drawPassword, drawTextArea } from './fields.ts';
import {
  askSchema,
  isTelling,
  SCHEMA,
  type SchemaResult,
  type StandardSchema,
} from './standard-schema.ts';

/**
 * The compiler expects this type where a schema does not accept text, and so prints what it
 * accepts.
 */
export interface TakesNoText<Input> {
  readonly 'a field gives text, and the schema takes': Input;
}

export interface SchemaOptions<Input, Output> extends FieldOptions {
  readonly schema: [string & Input] extends [never]
    ? TakesNoText<Input>
    : StandardSchema<Input, Output>;
  /** Default: `text`. */
  readonly control?: 'text' | 'multiline' | 'password';
  /**
   * The limits that the schema checks, for code that reads `Field.limits`. The field does not check
   * them.
   */
  readonly limits?: Limits;
}

const SCHEMA_KINDS = {
  ...FIELD_KINDS,
  schema: needed(SCHEMA),
  control: oneOf('text', 'multiline', 'password'),
  limits: OBJECT,
} satisfies OptionKinds<SchemaOptions<unknown, unknown>>;

/** A field that a Standard Schema validates. `parse` returns a promise only if the schema does. */
export function schemaField<Input, Output>(options: SchemaOptions<Input, Output>): Field<Output> {
  checkOptions('schemaField', options, SCHEMA_KINDS);
  const { label, control = 'text', limits = {} } = options;
  const schema = options.schema as StandardSchema<Input, Output>;
  const isPassword = control === 'password';
  const toParsed = (
    result: SchemaResult<Output>,
    typed: string,
    { words, translate }: Language,
  ): Parsed<Output> => {
    if (result.issues === undefined) return ok(result.value);
    const message = result.issues[0]?.message;
    const isHidden = message === undefined || (isPassword && isTelling(message, typed));
    return problem(isHidden ? words.unusable(translate(label)) : message);
  };
  return defineField<Output>(options, {
    control,
    isSecret: isPassword,
    limits,
    ...DRAWN[control],
    parse: (text, { language }) =>
      andThen(askSchema(schema, text === '' ? undefined : text), (result) =>
        toParsed(result, text, language),
      ),
  });
}

const DRAWN = {
  text: {},
  multiline: { draw: drawTextArea },
  password: { draw: drawPassword, normalize: (typed: string) => typed },
};
