/**
 * One of several choices, and several of them. A value that is no choice is an error, and the form shows it as one that
 * is no longer available: another version of the page may have offered it.
 */
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  oneOf,
  TEXT,
} from '../http/check-options.ts';
import { drawCheckboxes, drawRadios, drawSelect } from './draw-choices.ts';
import {
  type AddNew,
  CHOICE_LIST,
  type Choice,
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldKind,
  type FieldOptions,
  type Optional,
  ok,
  problem,
} from './field.ts';
import { listColumn } from './fields.ts';

/** A choice whose value may be a number, such as that of a row of the database. */
export interface TypedChoice<Value extends string | number> extends Omit<Choice, 'value'> {
  readonly value: Value;
}

export interface ChoiceOptions<Value extends string | number, Required extends string | undefined>
  extends Omit<FieldOptions<string, Required>, 'default'> {
  /**
   * In display order. Those with the same `group` stand under its heading. A text or a number alone is the value and
   * the label: `['S', 'M', 'L']`.
   */
  readonly choices: readonly (TypedChoice<Value> | Value)[];
  /** The choice of an empty form. */
  readonly default?: NoInfer<Value>;
  /** `select` by default; `radio` shows all choices at once. */
  readonly as?: 'select' | 'radio';
  /** A button that leads to the form that adds a choice, and back. */
  readonly addNew?: AddNew;
}

const ADD_NEW: OptionKind = {
  ...OBJECT,
  example: "{ label: 'Add a person', path: localPath('/people/new') }",
};

const TYPED_CHOICES: OptionKind = {
  ...CHOICE_LIST,
  accepts: (value) =>
    Array.isArray(value) &&
    CHOICE_LIST.accepts(
      value.map((one) => {
        const choice = typeof one === 'string' || Number.isSafeInteger(one) ? toChoice(one) : one;
        return Number.isSafeInteger(choice?.value) ? { ...choice, value: 'number' } : choice;
      }),
    ),
};

const DEFAULT: OptionKind = {
  noun: 'one of the choices',
  accepts: (value) => TEXT.accepts(value) || Number.isSafeInteger(value),
};

const CHOICE_KINDS = {
  ...FIELD_KINDS,
  choices: needed(TYPED_CHOICES),
  default: DEFAULT,
  as: oneOf('select', 'radio'),
  addNew: ADD_NEW,
} satisfies OptionKinds<ChoiceOptions<string | number, undefined>>;

/**
 * One of several choices: a `<select>`, or radio buttons. Without `required`, the value may also be the empty string.
 */
export function choiceField<
  const Value extends string | number,
  Required extends string | undefined = undefined,
>(options: ChoiceOptions<Value, Required>): Field<Optional<Required, Value, ''>> {
  checkOptions('choiceField', options, CHOICE_KINDS);
  const { label, as = 'select' } = options;
  const { known, choices } = toKnown(label, options.choices);
  const own = toDefaults(label, known, options.default === undefined ? [] : [options.default])[0];
  const texts = { ...options, ...(own === undefined ? {} : { default: own }) };
  const kind: FieldKind<Value, string, ''> = {
    control: as,
    frame: as === 'radio' ? 'legend' : 'label',
    draw: as === 'radio' ? drawRadios : drawSelect,
    choices,
    normalize: (typed) => typed,
    empty: '',
    parse(typed, { language: { words, translate } }) {
      const value = known.get(typed);
      return value === undefined ? problem(words.noChoice(translate(label))) : ok(value);
    },
  };
  return withAddNew(defineField(texts as FieldOptions<string, Required>, kind), options);
}

function withAddNew<F>(field: F, { addNew }: { readonly addNew?: AddNew }): F {
  return addNew === undefined ? field : { ...field, addNew };
}

export interface ChoicesOptions<Value extends string | number>
  extends Omit<FieldOptions<readonly string[]>, 'default'> {
  /** As those of `choiceField`. */
  readonly choices: readonly (TypedChoice<Value> | Value)[];
  /** The choices of an empty form. */
  readonly default?: readonly NoInfer<Value>[];
  /** The fewest choices; an empty field is a matter of `required`. */
  readonly min?: number;
  /** The most choices. */
  readonly max?: number;
  readonly addNew?: AddNew;
}

const DEFAULTS: OptionKind = { ...LIST, noun: 'a list of choices' };

const CHOICES_KINDS = {
  ...FIELD_KINDS,
  choices: needed(TYPED_CHOICES),
  default: DEFAULTS,
  min: COUNT,
  max: COUNT,
  addNew: ADD_NEW,
} satisfies OptionKinds<ChoicesOptions<string | number>>;

/** Several of the choices: checkboxes. The value is a list, in the order of the choices. */
export function choicesField<const Value extends string | number>(
  options: ChoicesOptions<Value>,
): Field<readonly Value[], readonly string[]> {
  checkOptions('choicesField', options, CHOICES_KINDS);
  const { label, min = 0, max = Math.max(min, options.choices.length) } = options;
  const { known, choices } = toKnown(label, options.choices);
  const texts = { ...options, default: toDefaults(label, known, options.default ?? []) };
  const kind: FieldKind<readonly Value[], readonly string[]> = {
    control: 'checkboxes',
    frame: 'legend',
    draw: drawCheckboxes,
    choices,
    limits: { minEntries: min, maxEntries: max },
    empty: [],
    toText: (values) => values.map(String),
    column: listColumn(),
    parse(chosen: readonly string[], { language: { words, translate } }) {
      const values = [...known].flatMap(([text, value]) => (chosen.includes(text) ? [value] : []));
      if (!chosen.every((one) => known.has(one))) return problem(words.noChoices(translate(label)));
      if (values.length < min) return problem(words.tooFewChoices(translate(label), min));
      if (values.length > max) return problem(words.tooManyChoices(translate(label), max));
      return ok(values as readonly Value[]);
    },
  };
  return withAddNew(defineField(texts, kind), options);
}

function toChoice<Value extends string | number>(
  given: TypedChoice<Value> | Value,
): TypedChoice<Value> {
  return typeof given === 'object' ? given : { value: given, label: String(given) };
}

interface Known<Value> {
  /** The values by the texts that are sent. */
  readonly known: ReadonlyMap<string, Value>;
  readonly choices: readonly Choice[];
}

function toKnown<Value extends string | number>(
  label: string,
  given: readonly (TypedChoice<Value> | Value)[],
): Known<Value> {
  const typed = given.map(toChoice);
  const choices = typed.map((one) => ({ ...one, value: String(one.value) }));
  const known = new Map(typed.map(({ value }) => [String(value), value]));
  if (known.has('') || known.size < choices.length) {
    const values = choices.map(({ value }) => value);
    throw new TypeError(
      `Cannot define the field ${label} with the choices ${JSON.stringify(values)}: each needs a value of its own that is not empty.`,
    );
  }
  return { known, choices };
}

/** The texts of the choices of an empty form. */
function toDefaults(
  label: string,
  known: ReadonlyMap<string, unknown>,
  defaults: readonly (string | number)[],
): readonly string[] {
  const texts = defaults.map(String);
  const wrong = texts.find((one) => !known.has(one));
  if (wrong === undefined) return texts;
  throw new TypeError(
    `Cannot define the field ${label} with the default choice ${JSON.stringify(wrong)}: take one of ${JSON.stringify([...known.keys()])}.`,
  );
}
