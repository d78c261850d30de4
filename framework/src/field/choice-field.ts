/**
 * One of several choices, and several of them. A value that is no choice is an error, and the form shows it again as it
 * was sent: another version of the page may have offered it.
 */
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  oneOf,
} from '../http/check-options.ts';
import { drawCheckboxes, drawRadios, drawSelect } from './draw-choices.ts';
import {
  CHOICE_LIST,
  type Choice,
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  problem,
} from './field.ts';

export interface ChoiceOptions<Value extends string, Required extends string | undefined>
  extends Omit<FieldOptions<string, Required>, 'default'> {
  /** In display order. Those with the same `group` stand under its heading. */
  readonly choices: readonly Choice<Value>[];
  /** The choice of an empty form. */
  readonly default?: NoInfer<Value>;
  /** `select` by default; `radio` shows all choices at once. */
  readonly as?: 'select' | 'radio';
}

const CHOICE_KINDS = {
  ...FIELD_KINDS,
  choices: needed(CHOICE_LIST),
  as: oneOf('select', 'radio'),
} satisfies OptionKinds<ChoiceOptions<string, undefined>>;

/**
 * One of several choices: a `<select>`, or radio buttons. Without `required`, the value may also be the empty string.
 */
export function choiceField<
  const Value extends string,
  Required extends string | undefined = undefined,
>(options: ChoiceOptions<Value, Required>): Field<Optional<Required, Value, ''>> {
  checkOptions('choiceField', options, CHOICE_KINDS);
  const { label, choices, as = 'select' } = options;
  const known = toKnown(label, choices);
  checkDefault(label, known, options.default ?? null);
  return defineField(options, {
    control: as,
    frame: as === 'radio' ? 'legend' : 'label',
    draw: as === 'radio' ? drawRadios : drawSelect,
    choices,
    normalize: (typed) => typed,
    empty: '',
    parse: (typed, { language: { words, translate } }) =>
      known.has(typed) ? ok(typed as Value) : problem(words.noChoice(translate(label))),
  });
}

export interface ChoicesOptions<Value extends string>
  extends Omit<FieldOptions<readonly string[]>, 'default'> {
  readonly choices: readonly Choice<Value>[];
  /** The choices of an empty form. */
  readonly default?: readonly NoInfer<Value>[];
  /** The fewest choices; an empty field is a matter of `required`. */
  readonly min?: number;
  /** The most choices. */
  readonly max?: number;
}

const DEFAULTS: OptionKind = { ...LIST, noun: 'a list of choices' };

const CHOICES_KINDS = {
  ...FIELD_KINDS,
  choices: needed(CHOICE_LIST),
  default: DEFAULTS,
  min: COUNT,
  max: COUNT,
} satisfies OptionKinds<ChoicesOptions<string>>;

/** Several of the choices: checkboxes. The value is a list, in the order of the choices. */
export function choicesField<const Value extends string>(
  options: ChoicesOptions<Value>,
): Field<readonly Value[], readonly string[]> {
  checkOptions('choicesField', options, CHOICES_KINDS);
  const { label, choices, min = 0, max = choices.length } = options;
  const known = toKnown(label, choices);
  for (const one of options.default ?? []) checkDefault(label, known, one);
  return defineField(options, {
    control: 'checkboxes',
    frame: 'legend',
    draw: drawCheckboxes,
    choices,
    limits: { minEntries: min, maxEntries: max },
    default: [] as readonly string[],
    empty: [],
    parse(chosen: readonly string[], { language: { words, translate } }) {
      const values = choices.map(({ value }) => value).filter((value) => chosen.includes(value));
      if (!chosen.every((one) => known.has(one))) return problem(words.noChoices(translate(label)));
      if (values.length < min) return problem(words.tooFewChoices(translate(label), min));
      if (values.length > max) return problem(words.tooManyChoices(translate(label), max));
      return ok(values as readonly Value[]);
    },
  });
}

function toKnown(label: string, choices: readonly Choice[]): ReadonlySet<string> {
  const values = choices.map(({ value }) => value);
  const known = new Set(values);
  if (known.has('') || known.size < values.length) {
    throw new TypeError(
      `Cannot define the field ${label} with the choices ${JSON.stringify(values)}: each needs a value of its own that is not empty.`,
    );
  }
  return known;
}

function checkDefault(label: string, known: ReadonlySet<string>, choice: string | null): void {
  if (choice === null || known.has(choice)) return;
  throw new TypeError(
    `Cannot define the field ${label} with the default choice ${JSON.stringify(choice)}: take one of ${JSON.stringify([...known])}.`,
  );
}
