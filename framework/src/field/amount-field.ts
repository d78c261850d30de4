/**
 * An amount and its unit in one text: money and its currency, a time and its zone. With one unit, the field has an
 * input for the amount alone. Of several, the user chooses one in a second input.
 */
import type { Html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { Words } from '../language/words.ts';
import type { Attributes } from './attributes.ts';
import { drawInputs } from './draw-inputs.ts';
import {
  type DrawnControl,
  defineField,
  type Field,
  type FieldKind,
  type FieldOptions,
  type Inputs,
  type Optional,
  type Parsed,
  problem,
} from './field.ts';
import { normalizeCode } from './normalize-text.ts';

type Name = keyof Words['inputs'];

interface AmountKind<Value, Unit extends string> extends Pick<FieldKind<Value>, 'limits'> {
  /** In a column: the amount, with its unit if there are several. */
  readonly toStored: (value: Value) => readonly [amount: string | number, unit: Unit];
  readonly fromStored: (amount: string, unit: Unit) => Value;

  readonly attributes: Readonly<Record<string, string>>;
  /** The name of the control that has two inputs. */
  readonly control: string;
  /** Of the inputs, and of their labels. */
  readonly names: readonly [amount: Name, unit: Name];
  readonly join: (amount: string, unit: string) => string;
  /** The unit is empty if the text has none. */
  readonly split: (text: string, units: readonly Unit[]) => readonly [amount: string, unit: string];
  /** Draws the only input. */
  readonly draw: (control: DrawnControl, unit: Unit) => Html;
  /** Further attributes of the first of two inputs. */
  readonly inputAttributes?: (amount: string) => Attributes;
  readonly parse: (amount: string, unit: Unit, language: Language) => Parsed<Value>;
  readonly toText: (value: Value, language: Language) => readonly [amount: string, unit: Unit];
  /** As people read it; by default as `toText` writes it. */
  readonly show?: FieldKind<Value, string, null>['show'];
}

/** With `unit` as a list, its first one is that of an amount without any. Without `required`, the value may be null. */
export function amountField<Value, Unit extends string, Required extends string | undefined>(
  options: FieldOptions<string, Required>,
  unit: Unit | readonly Unit[],
  kind: AmountKind<Value, Unit>,
): Field<Optional<Required, Value, null>> {
  const { attributes, limits = {}, control, names, draw } = kind;
  const isFixed = typeof unit === 'string';
  const units: readonly Unit[] = isFixed ? [unit] : unit;
  const [first] = units as readonly [Unit];
  const split = (text: string) => kind.split(text.trim(), units);
  const inputs: Inputs = {
    names,
    join: ([amount = '', chosen = '']) =>
      chosen === '' ? amount.trim() : kind.join(amount.trim(), chosen),
    split,
  };
  const drawBoth = (drawn: DrawnControl) => {
    const labels = drawn.language.words.inputs;
    const [amount] = split(drawn.text);
    return drawInputs(drawn, [
      { name: names[0], label: labels[names[0]], attributes: kind.inputAttributes?.(amount) ?? {} },
      { name: names[1], label: labels[names[1]], choices: units },
    ]);
  };
  return defineField(options, {
    ...(isFixed
      ? { draw: (drawn: DrawnControl) => draw(drawn, first) }
      : { control, frame: 'legend', inputs, draw: drawBoth }),
    attributes,
    limits,
    // A chosen unit without an amount is empty.
    normalize: (text) => (split(text)[0] === '' ? '' : normalizeCode(text)),
    empty: null,
    parse(text, { language }) {
      const [amount, name] = split(text);
      const chosen = name === '' ? first : units.find((one) => one === name);
      const { words, translate } = language;
      return chosen === undefined
        ? problem(words.noChoice(translate(options.label)))
        : kind.parse(amount, chosen, language);
    },
    ...(kind.show === undefined ? {} : { show: kind.show }),
    toText(value, { language }) {
      const [amount, name] = kind.toText(value, language);
      return isFixed ? amount : kind.join(amount, name);
    },
    column: {
      to(value) {
        const [amount, name] = kind.toStored(value);
        return isFixed ? amount : `${amount} ${name}`;
      },
      from(stored) {
        const [amount = '', name = first] = String(stored).split(' ');
        return kind.fromStored(amount, name as Unit);
      },
    },
  });
}
