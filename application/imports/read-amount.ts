/**
 * Reads numbers with decimals, units and currencies as people write them in tables: `120,50 €`, `$1,299.00`, `12 mm`,
 * `1'200.-`. A single mark before three digits separates thousands, unless another number of its column shows that it
 * stands before decimals.
 */
import { unifyCharacters } from 'seeother/languages';
import type { DecimalMark } from './read-number.ts';

export interface Amount {
  /** As in `-1299.5`: without a leading zero, and without zeros at the end of its decimals. */
  readonly decimal: string;
  /** The currency in three letters, if one is written: `EUR`. */
  readonly currency: string | null;
  /** Behind the number, as it is written, or empty. */
  readonly unit: string;
  /** The mark before its decimals, if there is no doubt. */
  readonly mark: DecimalMark | null;
}

/** What stands for a currency in a cell. `kr` and `¥` are those of several countries, and are taken as written. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{
    '€': 'EUR',
    $: 'USD',
    '£': 'GBP',
    '¥': 'JPY',
    '₹': 'INR',
    '₽': 'RUB',
    '₺': 'TRY',
    '₩': 'KRW',
  },
  // As programs in English write them.
  ...{ ca$: 'CAD', nz$: 'NZD', mx$: 'MXN', hk$: 'HKD', 'cn¥': 'CNY', s$: 'SGD' },
  ...{ us$: 'USD', a$: 'AUD', c$: 'CAD', fr: 'CHF', sfr: 'CHF', zł: 'PLN', kč: 'CZK', ft: 'HUF' },
  ...{
    euro: 'EUR',
    euros: 'EUR',
    dollar: 'USD',
    dollars: 'USD',
    r$: 'BRL',
    '₴': 'UAH',
    '₪': 'ILS',
  },
};
/** Currencies that a file or a browser may name. */
export const CURRENCY_CODES =
  'EUR USD GBP CHF AUD BGN BRL CAD CNY CZK DKK HKD HUF ILS INR ISK JPY KRW MXN NOK NZD PLN RON RUB SEK SGD TRY UAH ZAR'.split(
    ' ',
  );
const CODES: ReadonlySet<string> = new Set(CURRENCY_CODES);

/** A sign, digits in groups, decimals. `.-` and `,–` stand for no decimals in German. */
const NUMBER = /^([-+]?)\s*(\d{1,3}(?:([.,'’ ])\d{3})(?:\3\d{3})*|\d+)?(?:([.,])(\d+|--?|$))?$/;
const PARTS = /^([^\d.,+-]*?)\s*([-+]?\s*[\d.,](?:[\d.,'’ ]*[\d.,])?(?:--?)?)\s*([^\d]*\d?)$/u;
/** Letters, with powers and fractions: `mm`, `m²`, `km/h`, `%`, `"`. */
const UNIT = /^(?:[\p{L}µΩ°%"′″][\p{L}µΩ°/·²³^]{0,9}[23]?)?\.?$/u;
/** More digits are a number to tell things apart. */
const MAX_DIGITS = 15;

/** Null for a text that is no number: also for `0815` and `000-001`, which tell things apart. */
export function readAmount(typed: string, mark: DecimalMark | null): Amount | null {
  // Most cells of other columns, and most numbers.
  if (typed.length > 60 || !/\p{Nd}/u.test(typed)) return null;
  if (typed.length < MAX_DIGITS && /^(?:0|[1-9]\d*)$/.test(typed))
    return { decimal: typed, currency: null, unit: '', mark: null };
  const text = unifyCharacters(typed).replaceAll(/ +/g, ' ').trim();
  const [, before = '', middle = '', after = ''] = PARTS.exec(text) ?? [];
  const number = readDigits(middle.replaceAll(/ $/g, ''), mark);
  if (number === null) return null;
  const [front, back] = [before.trim(), after.trim()];
  const currency = toCurrency(front) ?? toCurrency(back);
  if (front !== '' && toCurrency(front) === null) return null;
  if (currency !== null && front !== '' && back !== '') return null;
  const unit = currency === null ? back : '';
  if (!UNIT.test(unit)) return null;
  return { ...number, currency, unit };
}

function toCurrency(text: string): string | null {
  if (text === '') return null;
  const spelling = text.toLowerCase().replace(/\.$/, '');
  if (Object.hasOwn(CURRENCIES, spelling)) return CURRENCIES[spelling] ?? null;
  return CODES.has(text.toUpperCase()) ? text.toUpperCase() : null;
}

function readDigits(
  text: string,
  column: DecimalMark | null,
): Pick<Amount, 'decimal' | 'mark'> | null {
  const found = NUMBER.exec(text);
  const [, sign = '', whole = '', separator = '', point, decimals = ''] = found ?? [];
  if (found === null || (whole === '' && decimals === '')) return null;
  if (point !== undefined && point === separator) return null;
  const parts = whole.split(/\D/);
  // “1.234” beside “12.5”.
  const isDecimal =
    point === undefined && parts.length === 2 && separator === column && column !== null;
  const [digits, fraction] = isDecimal
    ? [parts[0] ?? '', parts[1] ?? '']
    : [parts.join(''), decimals.replaceAll('-', '')];
  if (/^0\d/.test(digits) || digits.length + fraction.length > MAX_DIGITS) return null;
  // “1,234” with a decimal comma in one, and “12,3”: the second has no doubt.
  const mark = point !== undefined && /\d/.test(decimals) ? (point as DecimalMark) : null;
  const short = fraction.replace(/0+$/, '');
  const decimal = `${digits === '' ? '0' : digits}${short === '' ? '' : `.${short}`}`;
  return { decimal: sign === '-' && decimal !== '0' ? `-${decimal}` : decimal, mark };
}
