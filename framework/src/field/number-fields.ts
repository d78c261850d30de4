/**
 * Numbers with decimals. A decimal is exact text such as `1234.50`, never a float: 0.1 + 0.2 is not 0.3.
 *
 * People type numbers as their language writes them, so a form is filled with `toText` of the field, in that language:
 * in German, `1.234` is one thousand.
 */
import { checkOptions, needed, type OptionKind, type OptionKinds } from '../http/check-options.ts';
import type { Checked } from '../language/formats.ts';
import type { Language } from '../language/language.ts';
import { toDecimal } from '../language/numbers.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  type Parsed,
  problem,
  WITHOUT_REQUIRED,
} from './field.ts';
import { normalizeCode } from './normalize-text.ts';

/** Digits, with as many decimals as `step` has: `1234.50`. Equal numbers are equal texts; `<` compares no numbers. */
export type Decimal = Checked<'Decimal'>;

/** A number, or the same as text: `0.01` and `'0.01'`. */
type Decimals = number | string;

const DECIMAL: OptionKind = {
  noun: 'a number without an exponent',
  accepts: (value) => /^-?\d{1,30}(?:\.\d{1,30})?$/.test(String(value)),
};

export interface DecimalOptions<Required extends string | undefined>
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
} satisfies OptionKinds<DecimalOptions<undefined>>;

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
      normalize: normalizeCode,
      empty: null,
      parse(text, { language }) {
        return readDecimal(options.label, scale, language.parseDecimal(text), language);
      },
      toText: (value, { language }) => language.formatNumber(value),
      // SQLite returns a `numeric` as a number.
      column: {
        to: (value) => value,
        from: (stored) =>
          (typeof stored === 'number' ? stored.toFixed(scale.decimals) : stored) as Decimal,
      },
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

function readDecimal(
  fieldLabel: string,
  { decimals, min, max, step }: Scale,
  typed: string | null,
  { words, translate, formatNumber }: Language,
): Parsed<Decimal> {
  const label = translate(fieldLabel);
  const write = (units: bigint) => formatNumber(toDecimal(units, decimals));
  const example = min + ((max - min) / step / 2n) * step;
  if (typed === null) return problem(words.noNumber(label, write(example)));
  const units = toUnits(typed, decimals);
  if (units !== null && (units < min || units > max))
    return problem(words.notBetween(label, write(min), write(max)));
  if (units === null || (units - min) % step !== 0n)
    return problem(words.notInSteps(label, write(step), write(example)));
  return ok(toDecimal(units, decimals) as Decimal);
}

export interface RangeOptions extends Omit<FieldOptions, 'required' | 'default'> {
  readonly min: number;
  readonly max: number;
  /** 1 by default. */
  readonly step?: number;
  /** The middle by default. */
  readonly default?: number;
}

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
  const blank = String(options.default ?? toDecimal(middle, scale.decimals));
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
      show: (value, { language }) => language.formatNumber(value),
    },
  );
  return { ...field, required: true };
}
