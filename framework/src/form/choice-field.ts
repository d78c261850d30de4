/**
 * A value that is no choice is an error, and the form shows it again as it was sent: another version of the page
 * may have offered it.
 */
import { checkOptions, needed, type OptionKinds, SENTENCE } from '../http/check-options.ts';
import {
  CHOICE_LIST,
  type Choice,
  describeField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  ok,
  problem,
} from './field.ts';

export interface ChoiceOptions<Value extends string> extends FieldOptions {
  /** In display order. */
  readonly choices: readonly Choice<Value>[];
  /** The choice of an empty form. */
  readonly initial?: NoInfer<Value>;
  /** The error message when nothing was chosen. Without it, the field is optional. */
  readonly required?: string;
}

const CHOICE_KINDS = {
  ...FIELD_KINDS,
  choices: needed(CHOICE_LIST),
  required: SENTENCE,
} satisfies OptionKinds<ChoiceOptions<string>>;

/**
 * One of several choices: a `<select>`. Without `required`, the value may also be the empty string.
 */
export function choiceField<const Value extends string>(
  options: ChoiceOptions<Value> & { readonly required: string },
): Field<Value>;
export function choiceField<const Value extends string>(
  options: ChoiceOptions<Value>,
): Field<Value | ''>;
export function choiceField(options: ChoiceOptions<string>): Field<string> {
  checkOptions('choiceField', options, CHOICE_KINDS);
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
