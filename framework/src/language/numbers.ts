/**
 * Numbers and money as a language writes and reads them, by the data of `Intl`. A number is exact text such as
 * `1234.50`, never a float.
 *
 * A text is read as the language writes it; only what it cannot mean there is read as programs write it. So in
 * German `1.234` is 1234, and `1.5` is 1.5. What neither way allows is refused, such as `1,5` in English.
 */
import { unifyCharacters } from './characters.ts';
import { minorDigits } from './currencies.ts';
import { cacheFormats } from './formats.ts';

export interface NumberFormats {
  /**
   * All digits of a text such as `1234.50` are shown. Throws a `TypeError` for a text that is no number. Without
   * `grouping`, a year is 2026 and not 2,026.
   */
  readonly formatNumber: (
    value: number | bigint | string,
    options?: { readonly grouping?: boolean },
  ) => string;
  /** In German, `1.234,50` becomes `1234.50`. Null for what is no number. */
  readonly parseDecimal: (typed: string) => string | null;
  /** 199900 is 1,999 euros, and 199,900 yen. Throws a `TypeError` for a fraction. */
  readonly formatMoney: (minorUnits: number | bigint, currency: string) => string;
  /** In minor units. Null also for more decimals than the currency has, and beyond 2^53. */
  readonly parseMoney: (typed: string, currency: string) => number | null;
  /** In seconds up to 90, then in whole minutes, then in whole hours: `5 minutes`. */
  readonly formatDuration: (seconds: number) => string;
  /** In decimal units, as file managers show them: `2.5 MB`. */
  readonly formatSize: (bytes: number) => string;
}

export function createNumberFormats(code: string): NumberFormats {
  const formatOf = cacheFormats(
    (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(code, options),
  );
  const formatExact = (key: string, decimal: string, options: Intl.NumberFormatOptions) => {
    const digits = decimal.split('.')[1]?.length ?? 0;
    return formatOf(`${key} ${digits}`, {
      ...options,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(decimal as Intl.StringNumericLiteral);
  };
  let hasLatinDigits: boolean | null = null;
  /** Whether the language writes the number without any mark. Most numbers of pages are such. */
  const isPlain = (value: number | bigint) => {
    hasLatinDigits ??= LATIN_DIGITS.test(code) || formatOf('number true', {}).format(1) === '1';
    return hasLatinDigits && Number.isInteger(value) && value > 0 && value < 1_000;
  };
  const formatUnit = (value: number, unit: string, unitDisplay: 'short' | 'long') =>
    formatOf(unit, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(value);
  let reader: ((typed: string) => string | null) | null = null;
  // In a few languages, the separators are those of the currency.
  const readerOf = cacheFormats((currency: string) =>
    createReader(code, { style: 'currency', currency }),
  );
  const parseDecimal = (typed: string) => {
    reader ??= createReader(code, {});
    return reader(typed);
  };
  /** A currency as its code, as its symbol here, and as its symbol in its own country. */
  const marksOf = cacheFormats((currency: string) =>
    (['code', 'symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
      const format = new Intl.NumberFormat(code, { style: 'currency', currency, currencyDisplay });
      const mark = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
      return unify(mark ?? currency);
    }),
  );
  return {
    formatNumber(value, { grouping = true } = {}) {
      const options = grouping ? {} : { useGrouping: false };
      if (typeof value !== 'string')
        return isPlain(value)
          ? String(value)
          : formatOf(`number ${grouping}`, options).format(value);
      if (!CANONICAL.test(value)) throw notCanonical(value);
      return formatExact(`exact ${grouping}`, value, options);
    },
    parseDecimal,
    formatMoney(minorUnits, currency) {
      const decimal = toDecimal(minorUnits, minorDigits(currency));
      return formatExact(currency, decimal, { style: 'currency', currency });
    },
    parseMoney(typed, currency) {
      const digits = minorDigits(currency);
      if (typed.length > MAX_LENGTH) return null;
      const text = unify(typed);
      const mark = marksOf(currency, currency).find((one) => text.includes(one));
      const decimal =
        mark === undefined
          ? parseDecimal(text)
          : readerOf(currency, currency)(text.replace(mark, ''));
      return decimal === null ? null : toMinorUnits(decimal, digits);
    },
    formatDuration(seconds) {
      if (seconds <= 90) return formatUnit(seconds, 'second', 'long');
      const minutes = Math.ceil(seconds / 60);
      if (minutes <= 90) return formatUnit(minutes, 'minute', 'long');
      return formatUnit(Math.ceil(minutes / 60), 'hour', 'long');
    },
    formatSize(bytes) {
      if (bytes < 1_000) return formatUnit(bytes, 'byte', 'long');
      if (bytes < 1e6) return formatUnit(bytes / 1e3, 'kilobyte', 'short');
      if (bytes < 1e9) return formatUnit(bytes / 1e6, 'megabyte', 'short');
      return formatUnit(bytes / 1e9, 'gigabyte', 'short');
    },
  };
}

/**
 * Languages that write the digits 0 to 9 in every country. The first format of `Intl` in a process costs 8 MB and as
 * much CPU as a hundred pages, and many sites show only small numbers.
 */
const LATIN_DIGITS = /^(?:de|en|fr)(?:-[A-Z]{2})?$/;
/** Characters. A longer text is no number. */
const MAX_LENGTH = 100;
/** As programs write a number. */
const CANONICAL = /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<decimals>\d+))?$/;

type Style = Pick<Intl.NumberFormatOptions, 'style' | 'currency'>;
const MONEY: Style = { style: 'currency', currency: 'EUR' };

/** In English of Germany, numbers have a point where money has a comma: then only one of them counts. */
function createReader(code: string, first: Style): (typed: string) => string | null {
  const other = first.currency === undefined ? MONEY : {};
  const pattern = createPattern(code, [first, other]) ?? createPattern(code, [first]);
  if (pattern === null) throw new TypeError(`Cannot read the numbers of ${code}.`);
  return (typed) => {
    if (typed.length > MAX_LENGTH) return null;
    const text = unify(typed).trim();
    const match = pattern.exec(text) ?? CANONICAL.exec(text);
    const { sign, whole = '', decimals, after } = match?.groups ?? {};
    if (whole === '' && decimals === undefined) return null;
    const integer = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
    const decimal = decimals === undefined ? integer : `${integer}.${decimals}`;
    const isNegative = sign === '-' || after === '-';
    return isNegative && /[1-9]/.test(decimal) ? `-${decimal}` : decimal;
  };
}

/**
 * How a language writes numbers and money, which differ in some, such as the German of Austria and Marathi. Null if
 * they contradict each other.
 */
function createPattern(code: string, styles: readonly Style[]): RegExp | null {
  const written = styles.map((style) =>
    new Intl.NumberFormat(code, { ...style, minimumFractionDigits: 1 }).formatToParts(
      12345678901.5,
    ),
  );
  const valuesOf = (type: string) =>
    written.flat().flatMap((part) => (part.type === type ? unify(part.value) : []));
  // Those of Arabic have one meaning in all languages.
  const decimals = new Set([...valuesOf('decimal'), '\u066b']);
  const groups = new Set([...valuesOf('group'), '\u066c']);
  // A separator of both kinds would have to be guessed.
  if (!groups.isDisjointFrom(decimals)) return null;
  const [group, decimal] = [oneOf(groups), oneOf(decimals)];
  const grouped = written.map((parts, index) => {
    const digits = parts
      .filter(({ type }) => type === 'integer')
      .map(({ value }) => unify(value).length);
    const [last = 3, others = last] = digits.toReversed();
    return `[1-9]\\d{0,${others - 1}}(?<group${index}>${group})(?:\\d{${others}}\\k<group${index}>)*\\d{${last}}`;
  });
  const negative = new Intl.NumberFormat(code, MONEY);
  const after = negative.formatToParts(-1).at(-1)?.type === 'minusSign' ? '(?<after>-?)' : '';
  return new RegExp(
    `^(?<sign>[+-]?) ?(?<whole>${grouped.join('|')}|\\d*)(?:${decimal}(?<decimals>\\d+))?${after}$`,
    'u',
  );
}

/** A pattern for one of the characters. */
function oneOf(characters: ReadonlySet<string>): string {
  const escaped = [...characters].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
  return `[${escaped.join('')}]`;
}

/** As keyboards write numbers. */
function unify(text: string): string {
  return unifyCharacters(text).replaceAll('’', "'");
}

/** 1250 with two digits becomes `12.50`. Throws a `TypeError` for a fraction. */
export function toDecimal(minorUnits: number | bigint, digits: number): string {
  if (typeof minorUnits === 'number' && !Number.isSafeInteger(minorUnits)) {
    throw new TypeError(
      `Cannot format ${minorUnits} as money: pass a whole number of minor units, such as 1999 for 19.99 euros.`,
    );
  }
  const units = String(minorUnits)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  const sign = minorUnits < 0 ? '-' : '';
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${units.slice(-digits)}`;
}

function toMinorUnits(decimal: string, digits: number): number | null {
  const [whole = '', decimals = ''] = decimal.split('.');
  if (decimals.length > digits) return null;
  const units = Number(`${whole}${decimals.padEnd(digits, '0')}`);
  return Number.isSafeInteger(units) ? units : null;
}

function notCanonical(text: string): TypeError {
  return new TypeError(
    `Cannot format ${JSON.stringify(text)} as a number: pass a number, or digits with a point, such as 1234.50.`,
  );
}
