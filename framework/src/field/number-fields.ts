/**
 * Numbers with decimals, and money. Both are exact: a decimal is text such as `1234.50`, and money counts the minor units
 * of its currency, such as cents. A float is neither: 0.1 + 0.2 is not 0.3.
 *
 * People type numbers as their language writes them, so a form is filled with `toText` of the field, in that language:
 * in German, `1.234` is one thousand.
 */
import {
  checkOptions,
  needed,
  type OptionKind,
  type OptionKinds,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import { minorDigits } from '../language/currencies.ts';
import type { Language } from '../language/language.ts';
import type { Words } from '../language/words.ts';
import { writeAttributes } from './attributes.ts';
import { drawInputs } from './draw-inputs.ts';
import {
  type Checked,
  type DrawnControl,
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Given,
  type Inputs,
  normalizeText,
  type Optional,
  ok,
  type Parsed,
  problem,
} from './field.ts';

/** Digits, with as many decimals as `step` has: `1234.50`. Equal numbers are equal texts; `<` compares no numbers. */
export type Decimal = Checked<'Decimal'>;

/** A number, or the same as text: `0.01` and `'0.01'`. */
type Decimals = number | string;

const DECIMAL: OptionKind = {
  noun: 'a number without an exponent',
  accepts: (value) => /^-?\d{1,30}(?:\.\d{1,30})?$/.test(String(value)),
};

export interface DecimalOptions<Required extends string | undefined = string | undefined>
  extends Omit<FieldOptions<string, Required>, 'default'> {
  readonly min: Decimals;
  readonly max: Decimals;
  /** The value is `min` and a whole number of steps: with 0.01, it has two decimals. */
  readonly step: Decimals;
  /** What an empty form shows. */
  readonly default?: Decimals;
}

const DECIMAL_KINDS = {
  ...FIELD_KINDS,
  min: needed(DECIMAL, '0'),
  max: needed(DECIMAL, '1_000'),
  step: needed(DECIMAL, '0.01'),
  default: DECIMAL,
} satisfies OptionKinds<DecimalOptions>;

/** A number with decimals, as exact text. Without `required`, the value may be null. */
export function decimalField<Required extends string | undefined = undefined>(
  options: DecimalOptions<Required>,
): Field<Optional<Required, Decimal, null>> {
  checkOptions('decimalField', options, DECIMAL_KINDS);
  const scale = toScale('decimalField', options);
  return defineField(
    { ...options, default: String(options.default ?? '') },
    {
      // The keypad of a telephone has no minus.
      attributes: scale.min < 0n ? {} : { inputmode: 'decimal' },
      limits: { min: Number(options.min), max: Number(options.max) },
      empty: null,
      parse(text, { language }) {
        return readDecimal(options.label, scale, language.parseDecimal(text), language);
      },
      toText: (value, { language }) => language.formatNumber(value),
    },
  );
}

/** The limits as whole numbers of the smallest decimal. */
interface Scale {
  readonly decimals: number;
  readonly min: bigint;
  readonly max: bigint;
  readonly step: bigint;
}

function toScale(
  caller: string,
  { label, min, max, step }: { readonly label: string } & Record<'min' | 'max' | 'step', Decimals>,
): Scale {
  const texts = [min, max, step].map(String);
  const decimals = Math.max(...texts.map((one) => one.split('.')[1]?.length ?? 0));
  const [least, most, one] = texts.map((text) => toUnits(text, decimals)) as [
    bigint,
    bigint,
    bigint,
  ];
  if (least > most || one <= 0n) {
    throw new TypeError(
      `Cannot define the field ${label} with min ${min}, max ${max} and step ${step}: ${caller} needs a min that is not more than max, and a step above 0.`,
    );
  }
  return { decimals, min: least, max: most, step: one };
}

/** The digits of a decimal text; null if it has more decimals. */
function toUnits(text: string, decimals: number): bigint | null {
  const [whole = '', further = ''] = text.split('.');
  const kept = further.replace(/0+$/, '');
  return kept.length > decimals ? null : BigInt(`${whole}${kept.padEnd(decimals, '0')}`);
}

function fromUnits(units: bigint, decimals: number): Decimal {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return `${sign}${text}` as Decimal;
}

function readDecimal(
  fieldLabel: string,
  { decimals, min, max, step }: Scale,
  typed: string | null,
  { words, translate, formatNumber }: Language,
): Parsed<Decimal> {
  const label = translate(fieldLabel);
  const write = (units: bigint) => formatNumber(fromUnits(units, decimals));
  const example = min + ((max - min) / step / 2n) * step;
  if (typed === null) return problem(words.noNumber(label, write(example)));
  const units = toUnits(typed, decimals);
  if (units !== null && (units < min || units > max))
    return problem(words.notBetween(label, write(min), write(max)));
  if (units === null || (units - min) % step !== 0n)
    return problem(words.notInSteps(label, write(step), write(example)));
  return ok(fromUnits(units, decimals));
}

export interface RangeOptions extends Omit<FieldOptions, 'required' | 'default'> {
  readonly min: number;
  readonly max: number;
  /** 1 by default. */
  readonly step?: number;
  /** The middle by default. */
  readonly default?: number;
}

const { required: _, ...WITHOUT_REQUIRED } = FIELD_KINDS;

const RANGE_KINDS = {
  ...WITHOUT_REQUIRED,
  min: needed(DECIMAL, '0'),
  max: needed(DECIMAL, '10'),
  step: DECIMAL,
  default: DECIMAL,
} satisfies OptionKinds<RangeOptions>;

/**
 * A slider, for a number whose exact value does not matter: without a script, it does not show its number. It has no
 * `required`, because a browser sends a number always: for "no answer" use `choiceField` with `as: 'radio'`.
 */
export function rangeField(options: RangeOptions): Field<number> {
  checkOptions('rangeField', options, RANGE_KINDS);
  const { label, min, max, step = 1 } = options;
  const scale = toScale('rangeField', { label, min, max, step });
  const middle = scale.min + ((scale.max - scale.min) / scale.step / 2n) * scale.step;
  const blank = String(options.default ?? fromUnits(middle, scale.decimals));
  const attributes = { type: 'range', min: `${min}`, max: `${max}`, step: `${step}` };
  const field = defineField<number>(
    { ...options, default: blank },
    {
      attributes,
      limits: { min, max },
      parse(text, { language }) {
        // A browser writes it as programs do, in all languages.
        const typed = DECIMAL.accepts(text) ? text : null;
        const parsed = readDecimal(label, scale, typed, language);
        return parsed.ok ? ok(Number(parsed.value)) : parsed;
      },
    },
  );
  return { ...field, required: true };
}

/** An amount in minor units, which are the cents of euros and the yen of Japan, and its currency by ISO 4217. */
export interface Money<Currency extends string = string> {
  readonly amount: number;
  readonly currency: Currency;
}

export interface MoneyOptions<
  Currency extends string,
  Required extends string | undefined = string | undefined,
> extends Omit<FieldOptions<string, Required>, 'default'> {
  /** The code of a currency, such as `EUR`; or several, of which the user chooses one. */
  readonly currency: Currency | readonly Currency[];
  /** In minor units; 0 by default. */
  readonly min?: number;
  /** In minor units. */
  readonly max?: number;
  /** What an empty form shows: an amount in minor units. */
  readonly default?: number;
}

const CURRENCY: OptionKind = {
  noun: 'the code of a currency or a list of them',
  accepts: (value) => [value].flat().length > 0 && [value].flat().every(isCurrency),
};

function isCurrency(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code);
}

const MONEY_KINDS = {
  ...FIELD_KINDS,
  currency: needed(CURRENCY, "'EUR'"),
  min: WHOLE_NUMBER,
  max: WHOLE_NUMBER,
  default: WHOLE_NUMBER,
} satisfies OptionKinds<MoneyOptions<string>>;

/**
 * An amount of money, up to 2^53 minor units. More decimals than the currency has are an error. Without `required`, the
 * value may be null.
 */
export function moneyField<
  const Currency extends string,
  Required extends string | undefined = undefined,
>(options: MoneyOptions<Currency, Required>): Field<Optional<Required, Money<Currency>, null>> {
  checkOptions('moneyField', options, MONEY_KINDS);
  const { label, min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const currencies: readonly Currency[] = [options.currency].flat() as never;
  const [first] = currencies as readonly [Currency];
  const isFixed = typeof options.currency === 'string';
  const toText = ({ amount, currency }: Money, { language }: Given): string => {
    const decimal = fromUnits(BigInt(amount), minorDigits(currency));
    return joinMoney([language.formatNumber(decimal), isFixed ? '' : currency]);
  };
  const start = options.default ?? null;
  const blank =
    start === null
      ? ''
      : joinMoney([fromUnits(BigInt(start), minorDigits(first)), isFixed ? '' : first]);
  const inputs: Inputs = {
    names: ['amount', 'currency'],
    join: joinMoney,
    split: (text) => splitMoney(text, currencies),
  };
  return defineField(
    { ...options, default: blank },
    {
      ...(isFixed
        ? { draw: drawAmount(first) }
        : { control: 'money', frame: 'legend', draw: drawMoney(currencies), inputs }),
      attributes: min < 0 ? {} : { inputmode: 'decimal' },
      limits: { min, max },
      // A chosen currency without an amount is empty.
      normalize: (text) => (inputs.split(text)[0] === '' ? '' : normalizeText(text)),
      empty: null,
      parse(text, { language }) {
        const { words, translate, parseMoney, formatMoney, formatNumber } = language;
        const [typed = '', code = ''] = inputs.split(text);
        const currency = (code === '' ? first : code) as Currency;
        const amount = parseMoney(typed, currency);
        const name = translate(label);
        const example = fromUnits(1_250n, minorDigits(currency));
        if (amount === null) return problem(words.noMoney(name, formatNumber(example)));
        if (amount >= min && amount <= max) return ok({ amount, currency });
        const write = (units: number) => formatMoney(units, currency);
        return problem(outside(name, { min, max: options.max }, amount, write, words));
      },
      toText,
    },
  );
}

/** `12.50 EUR`; without an amount, `EUR` after a space, so that the form shows the currency again. */
function joinMoney([amount = '', currency = '']: readonly string[]): string {
  return currency === '' ? amount.trim() : `${amount.trim()} ${currency}`;
}

function splitMoney(text: string, currencies: readonly string[]): readonly [string, string] {
  const code = currencies.find((one) => text.trim().endsWith(one));
  if (code === undefined) return [text.trim(), ''];
  return [text.trim().slice(0, -code.length).trim(), code];
}

/** The message for a number that is not within the limits. */
export function outside(
  label: string,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  value: number,
  write: (limit: number) => string,
  words: Words,
): string {
  if (min !== undefined && max !== undefined)
    return words.notBetween(label, write(min), write(max));
  return min !== undefined && value < min
    ? words.tooSmall(label, write(min))
    : words.tooLarge(label, write(max ?? Number.MAX_SAFE_INTEGER));
}

function drawAmount(currency: string): (control: DrawnControl) => Html {
  return ({ name, text, attributes, language }) => {
    const own = { type: 'text', id: name, name, value: text };
    return html`<div class="with-unit"><span class="unit" aria-hidden="true">${symbolOf(currency, language)}</span><input${writeAttributes({ ...own, ...attributes, ...own })}></div>`;
  };
}

/** The symbol of a currency in a language. */
function symbolOf(currency: string, { formatMoney }: Language): string {
  return formatMoney(0, currency).replaceAll(/[\p{N}\p{Cf}\s.,٫]/gu, '') || currency;
}

function drawMoney(currencies: readonly string[]): (control: DrawnControl) => Html {
  return (control) => {
    const { amount, currency } = control.language.words.inputs;
    return drawInputs(control, [
      { name: 'amount', label: amount, attributes: {} },
      { name: 'currency', label: currency, choices: currencies },
    ]);
  };
}
