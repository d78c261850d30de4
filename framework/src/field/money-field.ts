/** Money, as a whole number of the minor units of its currency, such as cents. */
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
import { toDecimal } from '../language/numbers.ts';
import { amountField } from './amount-field.ts';
import { writeAttributes } from './attributes.ts';
import { checkLimits } from './check-limits.ts';
import {
  type DrawnControl,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  type Optional,
  ok,
  type Parsed,
  problem,
} from './field.ts';

/** An amount in minor units, which are the cents of euros and the yen of Japan, and its currency by ISO 4217. */
export interface Money<Currency extends string = string> {
  readonly amount: number;
  readonly currency: Currency;
}

export interface MoneyOptions<Currency extends string, Required extends string | undefined>
  extends Omit<FieldOptions<string, Required>, 'default'> {
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
} satisfies OptionKinds<MoneyOptions<string, undefined>>;

/**
 * An amount of money, up to 2^53 minor units. More decimals than the currency has are an error. Without `required`, the
 * value may be null.
 */
export function moneyField<
  const Currency extends string,
  Required extends string | undefined = undefined,
>(options: MoneyOptions<Currency, Required>): Field<Optional<Required, Money<Currency>, null>> {
  checkOptions('moneyField', options, MONEY_KINDS);
  const { label, currency, min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return amountField({ ...options, default: toBlank(options) }, currency, {
    control: 'money',
    attributes: min < 0 ? {} : { inputmode: 'decimal' },
    limits: { min, max },
    names: ['amount', 'currency'],
    join: joinMoney,
    split(text, currencies) {
      const code = currencies.find((one) => text.endsWith(one)) ?? '';
      return [text.slice(0, text.length - code.length).trim(), code];
    },
    draw: drawAmount,
    parse(typed, chosen, language): Parsed<Money<Currency>> {
      const { words, translate, parseMoney, formatMoney, formatNumber } = language;
      const amount = parseMoney(typed, chosen);
      const example = () => formatNumber(inUnits(1_250, chosen));
      if (amount === null) return problem(words.noMoney(translate(label), example()));
      const write = (units: number) => formatMoney(units, chosen);
      const parsed = checkLimits({ label, min, max: options.max }, amount, language, write);
      return parsed.ok ? ok({ amount, currency: chosen }) : parsed;
    },
    show: ({ amount, currency }, { language }) => language.formatMoney(amount, currency),
    toStored: ({ amount, currency: code }) => [amount, code],
    fromStored: (amount, code) => ({ amount: Number(amount), currency: code }),
    toText: (money, { formatNumber }) => [
      formatNumber(inUnits(money.amount, money.currency)),
      money.currency,
    ],
  });
}

/** `12.50 EUR`; without an amount, `EUR` after a space, so that the form shows the currency again. */
function joinMoney(amount: string, currency: string): string {
  return `${amount} ${currency}`;
}

/** The amount of an empty form, of the first currency. */
function toBlank({ default: start, currency }: MoneyOptions<string, string | undefined>): string {
  if (start === undefined) return '';
  const [first = ''] = [currency].flat();
  const amount = inUnits(start, first);
  return typeof currency === 'string' ? amount : joinMoney(amount, first);
}

/** 1250 is `12.50` in euros. */
function inUnits(amount: number, currency: string): string {
  return toDecimal(amount, minorDigits(currency));
}

function drawAmount({ name, text, attributes, language }: DrawnControl, currency: string): Html {
  const own = { type: 'text', id: name, name, value: text };
  return html`<div class="with-unit"><span class="unit" aria-hidden="true">${symbolOf(currency, language)}</span><input${writeAttributes({ ...own, ...attributes, ...own })}></div>`;
}

/** The symbol of a currency in a language. */
function symbolOf(currency: string, { formatMoney }: Language): string {
  return formatMoney(0, currency).replaceAll(/[\p{N}\p{Cf}\s.,٫]/gu, '') || currency;
}
