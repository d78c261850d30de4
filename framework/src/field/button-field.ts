/** The button is a field like the others, so `onlyOnce` tells apart a form that was sent by two buttons. */
import {
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
} from '../http/check-options.ts';
import {
  type AnyField,
  CHOICE_LIST,
  type Choice,
  defineField,
  type Field,
  ok,
  problem,
} from './field.ts';

/** A button: the value that is sent, and its text. */
export interface Button extends Pick<Choice, 'value' | 'label'> {
  /**
   * The fields that are checked when this button sends the form: all by default, and none for `[]`, such as for a
   * button that deletes.
   */
  readonly checks?: readonly string[];
}

export type ButtonList = readonly [Button, ...Button[]];

export interface ButtonOptions<B extends ButtonList> {
  /** In display order. */
  readonly buttons: B;
}

const BUTTONS: OptionKind = {
  ...CHOICE_LIST,
  accepts: (value) =>
    CHOICE_LIST.accepts(value) &&
    (value as readonly Button[]).every(({ checks = [] }) => LIST.accepts(checks)),
};

const BUTTON_KINDS = { buttons: needed(BUTTONS) } satisfies OptionKinds<ButtonOptions<ButtonList>>;

/** The field of the buttons of a form. */
export interface ButtonField<B extends ButtonList> extends Field<B[number]['value']> {
  readonly choices: B;
}

/**
 * The buttons of a form that can be sent in several ways: the value is that of the button that was pressed, or of
 * the first one, which Enter in a text field presses. Throws for values that are empty or not unique.
 */
export function buttonField<const B extends ButtonList>(options: ButtonOptions<B>): ButtonField<B> {
  checkOptions('buttonField', options, BUTTON_KINDS);
  const { buttons } = options;
  const [first] = buttons;
  const values = buttons.map(({ value }) => value);
  if (first === undefined || values.includes('') || new Set(values).size < values.length) {
    throw new TypeError(
      `Cannot define buttons with the values ${JSON.stringify(values)}: give at least one, each with a value of its own that is not empty.`,
    );
  }
  const field = defineField(
    { label: 'A button' },
    {
      control: 'button',
      isButton: true,
      draw: null,
      choices: buttons,
      normalize: (typed) => typed,
      empty: first.value,
      parse: (typed, { language }) =>
        values.includes(typed) ? ok<B[number]['value']>(typed) : problem(language.words.noButton),
    },
  );
  return { ...field, choices: buttons };
}

/** The buttons of a form; none for a form without a `buttonField`. */
export function buttonsOf(fields: Readonly<Record<string, unknown>>): readonly Button[] {
  return (Object.values(fields).find(isButton)?.choices ?? []) as readonly Button[];
}

/** Whether the part of a form is its buttons. */
export function isButton(part: unknown): part is AnyField {
  return (part as Partial<AnyField> | null)?.isButton === true;
}
