/** The button is a field like the others, so `onlyOnce` tells apart a form that was sent by two buttons. */
import { checkOptions, needed, type OptionKinds } from '../http/check-options.ts';
import { CHOICE_LIST, type Choice, type Field, ok, problem } from './field.ts';

export interface ButtonOptions<Value extends string> {
  /** In display order: the value that is sent, and the text on the button. */
  readonly buttons: readonly [Choice<Value>, ...Choice<Value>[]];
}

const BUTTON_KINDS = { buttons: needed(CHOICE_LIST) } satisfies OptionKinds<ButtonOptions<string>>;

/**
 * The buttons of a form that can be sent in several ways: the value is that of the button that was pressed, or of
 * the first one, which Enter in a text field presses. Throws for values that are empty or not unique.
 */
export function buttonField<const Value extends string>(
  options: ButtonOptions<Value>,
): Field<Value> {
  checkOptions('buttonField', options, BUTTON_KINDS);
  const { buttons } = options;
  const [first] = buttons;
  const values = buttons.map(({ value }) => value);
  if (first === undefined || values.includes('' as Value) || new Set(values).size < values.length) {
    throw new TypeError(
      `Cannot define buttons with the values ${JSON.stringify(values)}: give at least one, each with a value of its own that is not empty.`,
    );
  }
  return {
    label: 'A button',
    hint: null,
    control: 'button',
    required: false,
    initial: '',
    attributes: {},
    limits: {},
    choices: buttons,
    parse(typed) {
      if (typed === '') return ok(first.value);
      const pressed = buttons.find(({ value }) => value === typed);
      return pressed === undefined ? problem('Use one of the buttons') : ok(pressed.value);
    },
  };
}
