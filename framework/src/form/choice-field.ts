/**
 * A field to choose one of several values: a `<select>`. Its value is one of those that were
 * defined, to the letter; anything else is an error, and is shown again as it was sent.
 *
 * Choosing nothing is the empty text: an error with `required`, and a value of its own without.
 */
import { type Choice, describeField, type Field, type FieldOptions, ok, problem } from './field.ts';

export interface ChoiceOptions<Value extends string> extends FieldOptions {
  /** In the order in which they are shown. */
  readonly choices: readonly Choice<Value>[];
  /** The value that a blank form has chosen. */
  readonly initial?: NoInfer<Value>;
  /** What to say when nothing was chosen; without it the field is optional. */
  readonly required?: string;
}

/** With `required`, the value is one of the choices; without it, it may also be the empty text. */
export function choiceField<const Value extends string>(
  options: ChoiceOptions<Value> & { readonly required: string },
): Field<Value>;
export function choiceField<const Value extends string>(
  options: ChoiceOptions<Value>,
): Field<Value | ''>;
export function choiceField(options: ChoiceOptions<string>): Field<string> {
  const { label, choices, required, initial = '' } = options;
  const values = choices.map(({ value }) => value);
  const known = new Set(values);
  if (known.has('') || known.size < values.length) {
    throw new TypeError(
      `Cannot define the field ${label} with the choices ${JSON.stringify(values)}: each needs a value of its own that is not empty.`,
    );
  }
  if (initial !== '' && !known.has(initial)) {
    throw new TypeError(
      `Cannot define the field ${label} with the initial choice ${JSON.stringify(initial)}: take one of ${JSON.stringify(values)}.`,
    );
  }
  return {
    ...describeField(options, required !== undefined),
    control: 'choice',
    choices,
    parse(typed) {
      if (typed === '') return required === undefined ? ok('') : problem(required);
      return known.has(typed) ? ok(typed) : problem(`${label} must be one of the choices`);
    },
  };
}
